import ImagePipeline

/// The command line of `thumbnail`.
struct ToolArguments: Sendable {
    struct Failure: Error { var reason: String }

    static let usage = """
        usage: thumbnail --size WxH [options] INPUT...
          --size WxH | W | xH      the box, in pixels
          --mode MODE              fit (default), fill, stretch or pad
          --quality N              JPEG quality, 1 to 100 (default 80)
          --format FORMAT          auto (default: PNG if transparent, else JPEG), jpeg or png
          --fast                   trade a little sharpness for speed
          --gamma                  average code values instead of light
          --enlarge                let small images grow
          --focus X,Y              what a fill keeps in sight, in parts of the size (default 0.5,0.5)
          --background RRGGBB[AA]  behind padding and under transparency (default FFFFFF)
          --output FILE            where the thumbnail of a single input goes, - for standard output
          --output-dir DIR         where thumbnails go, by their inputs' names (default: beside them, as NAME.thumb.EXT)
          --partial                accept damaged files
          --jobs N                 images at once (default: one a core)
          --json                   a line of JSON for each input
        INPUT is a JPEG or PNG file, or - for standard input.
        """

    var recipe = ThumbnailRecipe(fitting: 1, 1)
    var inputs: [String] = []
    var output: String?
    var outputDirectory: String?
    var jobs: Int?
    var json = false
    var truncation = TruncationPolicy.fail
    var wantsHelp = false

    var writesToStandardOutput: Bool { output == "-" }

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        var hasSize = false
        var onlyInputs = false
        func value<Value>(_ option: String, _ parse: (String) -> Value?) throws(Failure) -> Value {
            guard let text = rest.popFirst() else { throw Failure(reason: "\(option) needs a value") }
            guard let value = parse(text) else { throw Failure(reason: "bad value for \(option): \(text)") }
            return value
        }
        while let argument = rest.popFirst() {
            guard !onlyInputs, argument.hasPrefix("-"), argument != "-" else {
                inputs.append(argument)
                continue
            }
            switch argument {
            case "--": onlyInputs = true
            case "--help", "-h": wantsHelp = true
            case "--size":
                recipe.box = try value(argument) { BoundingBox($0) }
                hasSize = true
            case "--mode": recipe.mode = try value(argument) { ResizeMode(rawValue: $0) }
            case "--quality":
                recipe.jpeg.quality = try value(argument) { Int($0).flatMap { (1...100).contains($0) ? $0 : nil } }
            case "--format": recipe.format = try value(argument) { ThumbnailRecipe.Format(rawValue: $0) }
            case "--fast": recipe.effort = .fast
            case "--gamma": recipe.light = .gamma
            case "--enlarge": recipe.allowsEnlarging = true
            case "--focus": recipe.focus = try value(argument, Self.focus)
            case "--background": recipe.background = try value(argument) { RGBAColor(hex: $0) }
            case "--output": output = try value(argument) { $0.isEmpty ? nil : $0 }
            case "--output-dir": outputDirectory = try value(argument) { $0.isEmpty ? nil : $0 }
            case "--jobs": jobs = try value(argument) { Int($0).flatMap { (1...1024).contains($0) ? $0 : nil } }
            case "--json": json = true
            case "--partial": truncation = .partial
            default: throw Failure(reason: "unknown option \(argument)")
            }
        }
        if wantsHelp { return }
        if !hasSize { throw Failure(reason: "--size is missing") }
        if inputs.isEmpty { throw Failure(reason: "no input") }
        if output != nil, outputDirectory != nil {
            throw Failure(reason: "--output and --output-dir exclude each other")
        }
        if output != nil, inputs.count > 1 { throw Failure(reason: "--output takes a single input") }
        if json, output == "-" { throw Failure(reason: "--json and --output - both write to standard output") }
    }

    private static func focus(_ text: String) -> FocalPoint? {
        let parts = text.split(separator: ",").compactMap { Double($0) }
        guard parts.count == 2, parts.allSatisfy({ (0...1).contains($0) }) else { return nil }
        return FocalPoint(x: parts[0], y: parts[1])
    }
}
