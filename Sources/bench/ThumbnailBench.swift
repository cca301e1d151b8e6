import ImagePipeline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `bench thumbnail FILE --size WxH --iterations N [--fast] [--gamma] [--format auto|jpeg|png] [--quality N]`: the median
/// milliseconds from a file's bytes to the thumbnail's bytes, on one thread.
func benchThumbnail(arguments: [String]) -> Int32 {
    var file: String?
    var recipe = ThumbnailRecipe(fitting: 720, 588)
    var iterations = 21
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        switch argument {
        case "--size":
            guard let box = rest.popFirst().flatMap({ BoundingBox($0) }) else { return thumbnailUsage("bad --size") }
            recipe.box = box
        case "--iterations":
            guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
                return thumbnailUsage("bad --iterations")
            }
            iterations = count
        case "--quality":
            guard let quality = rest.popFirst().flatMap({ Int($0) }) else { return thumbnailUsage("bad --quality") }
            recipe.jpeg.quality = quality
        case "--format":
            guard let format = rest.popFirst().flatMap({ ThumbnailRecipe.Format(rawValue: $0) }) else {
                return thumbnailUsage("bad --format")
            }
            recipe.format = format
        case "--fast": recipe.effort = .fast
        case "--gamma": recipe.light = .gamma
        default:
            guard file == nil, !argument.hasPrefix("--") else { return thumbnailUsage("unknown argument \(argument)") }
            file = argument
        }
    }
    guard let file else { return thumbnailUsage("no file") }
    do {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let thumbnailer = Thumbnailer()
        var thumbnail = try thumbnailer.makeThumbnail(of: data, recipe: recipe)
        var milliseconds: [Double] = []
        let clock = ContinuousClock()
        for _ in 0..<iterations {
            let elapsed = try clock.measure { thumbnail = try thumbnailer.makeThumbnail(of: data, recipe: recipe) }
            let (seconds, attoseconds) = elapsed.components
            milliseconds.append(Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
        }
        let median = milliseconds.sorted()[iterations / 2]
        print(
            "\(rounded(median)) ms  \(thumbnail.source.displaySize) -> \(thumbnail.size)  \(thumbnail.data.count) bytes"
        )
        return 0
    } catch {
        return thumbnailUsage("\(file): \(error)")
    }
}

private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

private func thumbnailUsage(_ reason: String) -> Int32 {
    print("bench thumbnail: \(reason)")
    print("usage: bench thumbnail FILE --size WxH [--iterations N] [--fast] [--gamma] [--quality N] [--format F]")
    return 2
}
