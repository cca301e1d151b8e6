#if os(Linux)
internal import CSystem
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A non-blocking socket that accepts connections, owned by one thread.
struct ListeningSocket {
    let descriptor: Int32
    /// The port; 0 for a Unix-domain socket.
    let port: Int
    private let path: String?

    /// Listens on 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 takes a free one.
    init(port: Int) throws(StubServerError) {
        guard let number = UInt16(exactly: port) else { throw StubServerError("\(port) is not a port") }
        descriptor = try ListeningSocket.make(AF_INET)
        path = nil
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && listen(descriptor, 4096) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard bound else {
            let reason = systemError()
            close(descriptor)
            throw StubServerError("cannot listen on 127.0.0.1:\(port): \(reason)")
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Listens on a Unix-domain socket, whose file must not exist yet.
    init(path: String) throws(StubServerError) {
        descriptor = try ListeningSocket.make(AF_UNIX)
        port = 0
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < capacity, !bytes.contains(0) else {
            close(descriptor)
            throw StubServerError("the path of a Unix-domain socket has 1 to \(capacity - 1) bytes: \(path)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = descriptor
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    && listen(descriptor, 4096) == 0
            }
        }
        guard bound else {
            let reason = systemError()
            close(descriptor)
            throw StubServerError("cannot listen on \(path): \(reason)")
        }
    }

    /// Takes the next connection; `nil` when none waits, or the error's number.
    func accept() -> Result<Int32, SystemFailure>? {
        while true {
            let connection = csystem_accept(descriptor)
            if connection >= 0 { return .success(connection) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return nil
            case let code: return .failure(SystemFailure(code: code))
            }
        }
    }

    /// Stops listening, and removes the file of a Unix-domain socket.
    func stop() {
        close(descriptor)
        if let path { unlink(path) }
    }

    private static func make(_ family: Int32) throws(StubServerError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw StubServerError("cannot make a socket: \(systemError())") }
        return descriptor
    }
}

/// An `errno` value.
struct SystemFailure: Error {
    let code: Int32
}

/// What `errno` says, in words.
func systemError() -> String {
    String(cString: strerror(errno))
}
#endif
