import Foundation
import Glibc

/// A blocking TCP client for exact bytes: each exchange on a thread of its own, so that no task is held up.
enum RawClient {
    /// How the server's side ended.
    enum End: Equatable, Sendable {
        case closed
        case reset
        /// Nothing came for the time given.
        case silent
        /// As many bytes as wanted have come.
        case enough
    }

    struct Failure: Error {
        let what: String
        let code: Int32
    }

    /// Sends bytes and reads until the server closes, resets, falls silent, or the wanted number has come.
    static func exchange(
        port: Int, sending bytes: [UInt8], wanted: Int = .max, silence: Duration = .seconds(5),
        pieces: Int = .max, halfClosing: Bool = false
    ) async throws -> (received: [UInt8], end: End) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try blocking(port, bytes, wanted: wanted, silence: silence, pieces: pieces, halfClosing)
                    })
            }
        }
    }

    static func exchange(
        port: Int, _ text: String, wanted: Int = .max, silence: Duration = .seconds(5), pieces: Int = .max
    ) async throws -> (text: String, end: End) {
        let (received, end) = try await exchange(
            port: port, sending: Array(text.utf8), wanted: wanted, silence: silence, pieces: pieces)
        return (String(decoding: received, as: UTF8.self), end)
    }

    private static func blocking(
        _ port: Int, _ bytes: [UInt8], wanted: Int, silence: Duration, pieces: Int, _ halfClosing: Bool
    ) throws -> ([UInt8], End) {
        let descriptor = try connect(port: port)
        defer { close(descriptor) }
        var limit = timeval()
        limit.tv_sec = Int(silence.components.seconds)
        limit.tv_usec = Int(silence.components.attoseconds / 1_000_000_000_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.prefix(pieces).withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return ([], .reset) }
            rest.removeFirst(count)
        }
        if halfClosing { shutdown(descriptor, Int32(SHUT_WR)) }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.count < wanted {
            let count = recv(descriptor, &buffer, min(buffer.count, wanted - received.count), 0)
            if count > 0 {
                received += buffer[..<count]
            } else if count == 0 {
                return (received, .closed)
            } else if errno == EAGAIN {
                return (received, .silent)
            } else if errno == ECONNRESET {
                return (received, .reset)
            } else if errno != EINTR {
                throw Failure(what: "recv", code: errno)
            }
        }
        return (received, .enough)
    }

    /// Sends a short text.
    static func send(_ descriptor: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads what has come already.
    static func receive(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }

    static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    static func connect(port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(what: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(what: "connect", code: code)
        }
        return descriptor
    }
}
