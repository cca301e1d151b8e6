import ImagePipeline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// One input: read, make, write. Nothing is left behind when it fails.
struct ToolJob: Sendable {
    struct Failure: Error { var reason: String }

    let input: String
    let arguments: ToolArguments

    /// Read once: it can only be read by setting it, for all threads.
    private static let creationMask: mode_t = {
        let mask = umask(0)
        umask(mask)
        return mask
    }()

    func run(_ scheduler: DecodeScheduler) async -> ToolReport {
        let clock = ContinuousClock()
        let start = clock.now
        var report = ToolReport(input: input, milliseconds: 0)
        do {
            let data = try read()
            let thumbnailer = Thumbnailer(truncation: arguments.truncation)
            let thumbnail = try await thumbnailer.makeThumbnail(
                of: data, recipe: arguments.recipe, scheduler: scheduler)
            let path = outputPath(thumbnail.format)
            try write(thumbnail.data, to: path)
            report.output = path
            report.thumbnail = thumbnail
        } catch let error as Failure {
            report.error = error.reason
        } catch {
            report.error = "\(error)"
        }
        let (seconds, attoseconds) = (clock.now - start).components
        report.milliseconds = (Double(seconds) * 1e5 + Double(attoseconds) / 1e13).rounded() / 100
        return report
    }

    private func outputPath(_ format: ImageFormat) -> String {
        if let output = arguments.output { return output }
        let name = input == "-" ? "stdin" : input.split(separator: "/").last.map(String.init) ?? input
        let stem = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : String(name[..<$0]) } ?? name
        if let directory = arguments.outputDirectory { return "\(directory)/\(stem).\(format.fileExtension)" }
        let parent = input.lastIndex(of: "/").map { String(input[...$0]) } ?? ""
        return "\(parent)\(stem).thumb.\(format.fileExtension)"
    }

    private func read() throws -> Data {
        let descriptor = input == "-" ? 0 : open(input, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        defer { if descriptor != 0 { close(descriptor) } }
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw Failure(reason: "is a directory")
        }
        let limit = ImageLimits().inputBytes
        var data = Data()
        if isFile { data.reserveCapacity(min(Int(status.st_size), limit) + 1) }
        var chunk = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            let count = chunk.withUnsafeMutableBytes { Self.readSome(descriptor, $0) }
            if count < 0 { throw Failure(reason: String(cString: strerror(errno))) }
            if count == 0 { return data }
            data.append(contentsOf: chunk[..<count])
            if data.count > limit { throw ImageError.limitExceeded(.inputBytes, actual: data.count, allowed: limit) }
        }
    }

    private static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = posixRead(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// To a file beside the target that then takes its name, so that nobody ever sees half a thumbnail.
    private func write(_ data: Data, to path: String) throws {
        if path == "-" {
            try Self.writeAll(data, to: 1)
            return
        }
        var template = Array("\(path).XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Failure(reason: "\(path): \(String(cString: strerror(errno)))") }
        do {
            defer { close(descriptor) }
            try Self.writeAll(data, to: descriptor)
            // mkstemp makes private files; a thumbnail is as public as any file made by the user.
            fchmod(descriptor, 0o666 & ~Self.creationMask)
        } catch {
            unlink(template)
            throw error
        }
        guard rename(template, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(template)
            throw Failure(reason: "\(path): \(reason)")
        }
    }

    private static func writeAll(_ data: Data, to descriptor: Int32) throws {
        try data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = posixWrite(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure(reason: String(cString: strerror(errno))) }
                written += count
            }
        }
    }
}

// The methods above have the names of the functions they call.
private func posixRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
private func posixWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
