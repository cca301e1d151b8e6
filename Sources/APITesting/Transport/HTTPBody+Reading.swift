internal import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTPBody {
    /// The whole body in memory. Reads a stream to its end.
    func readAll() async throws -> Data {
        switch content {
        case .none: return Data()
        case .bytes(let data): return data
        case .file(let path):
            do {
                return try Data(contentsOf: URL(filePath: path))
            } catch {
                throw InvalidRequest(.unreadableBody("\(path): \(error)"))
            }
        case .stream(let stream):
            let source = try stream.makeSource()
            var data = Data()
            while let chunk = try await source.next() { data.append(chunk) }
            return data
        @unknown default:
            throw InvalidRequest(.unreadableBody("a kind of body that is not known here"))
        }
    }
}
