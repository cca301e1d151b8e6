import Foundation

/// The curl command: a judge that shares no code with us.
enum Curl {
    struct Output: Sendable {
        let standardOutput: Data
        let standardError: String
        let status: Int32

        var text: String { String(decoding: standardOutput, as: UTF8.self) }
    }

    static func run(_ arguments: String...) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try blocking(arguments) })
            }
        }
    }

    private static func blocking(_ arguments: [String]) throws -> Output {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["curl", "--silent", "--show-error", "--max-time", "20"] + arguments
        let output = Pipe()
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Output(
            standardOutput: data,
            standardError: String(decoding: (try? Data(contentsOf: errors)) ?? Data(), as: UTF8.self),
            status: process.terminationStatus)
    }
}
