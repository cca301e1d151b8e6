import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A server of exact bytes on loopback: each connection runs a script on a thread of its own.
///
/// ```swift
/// let server = try WireServer { connection in
///     _ = connection.readRequest()
///     connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
/// }
/// ```
final class WireServer: Sendable {
    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var connections = 0
        var requests: [WireRequest] = []
        var open: [Int32: WireConnection] = [:]
        var isStopped = false
    }

    init(
        family: Int32 = AF_INET, path: String? = nil, backlog: Int32 = 1024,
        _ script: @escaping @Sendable (WireConnection) -> Void
    ) throws {
        let listener = socket(path == nil ? family : AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        guard listener >= 0 else { throw WireError(errno) }
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        var status: Int32 = -1
        if let path {
            unlink(path)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(100))) }
            status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            port = 80
        } else if family == AF_INET6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
            var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            _ = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
            }
            port = Int(UInt16(bigEndian: address.sin6_port))
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
            }
            port = Int(UInt16(bigEndian: address.sin_port))
        }
        guard status == 0, listen(listener, backlog) == 0 else {
            let code = errno
            close(listener)
            throw WireError(code)
        }
        let thread = Thread { [weak self] in
            while true {
                let socket = accept(listener, nil, nil)
                if socket < 0 {
                    if errno == EINTR { continue }
                    close(listener)
                    return
                }
                guard let self else {
                    close(socket)
                    close(listener)
                    return
                }
                self.run(socket, script)
            }
        }
        thread.start()
    }

    deinit {
        stop()
    }

    private func run(_ socket: Int32, _ script: @escaping @Sendable (WireConnection) -> Void) {
        let connection = state.withLock { state -> WireConnection? in
            guard !state.isStopped else { return nil }
            state.connections += 1
            let connection = WireConnection(socket, number: state.connections) { [weak self] request in
                self?.state.withLock { $0.requests.append(request) }
            }
            state.open[socket] = connection
            return connection
        }
        guard let connection else {
            close(socket)
            return
        }
        let thread = Thread { [weak self] in
            script(connection)
            // Out of the list first: the number may be another's as soon as it is closed.
            _ = self?.state.withLock { $0.open.removeValue(forKey: socket) }
            connection.close()
        }
        thread.stackSize = 256 << 10
        thread.start()
    }

    /// Stops listening and breaks every connection.
    func stop() {
        let open = state.withLock { state -> [WireConnection]? in
            // Once only: the listener's number may be another's by now.
            guard !state.isStopped else { return nil }
            state.isStopped = true
            return Array(state.open.values)
        }
        guard let open else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in open { connection.abort() }
    }

    var url: String { "http://127.0.0.1:\(port)" }
    /// How many connections were accepted.
    var connectionCount: Int { state.withLock { $0.connections } }
    /// What was read with ``WireConnection/readRequest()``, in order.
    var requests: [WireRequest] { state.withLock { $0.requests } }
}

struct WireError: Error {
    let code: Int32
    init(_ code: Int32) { self.code = code }
}

/// A request as it came over the wire.
struct WireRequest: Sendable {
    var head: String
    var body: Data
    /// The trailer section as it came.
    var trailers = ""
    /// The number of its connection, from 1.
    var connection = 0

    var line: String { String(head.prefix { $0 != "\r\n" }) }
    var method: String { String(line.prefix { $0 != " " }) }
    var target: String { line.split(separator: " ").dropFirst().first.map { String($0) } ?? "" }
    var fields: [(name: String, value: String)] {
        head.components(separatedBy: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
    }
    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map { $0.value }
    }
    subscript(_ name: String) -> String? { values(name).first }
}

/// One connection, read and written by the script's thread.
final class WireConnection: @unchecked Sendable {
    // Safe to share: the buffer is the script thread's; the descriptor is closed once, under the lock.
    let number: Int
    private let socket: Int32
    private var buffer = Data()
    private let record: @Sendable (WireRequest) -> Void
    private let isClosed = Mutex(false)

    fileprivate init(_ socket: Int32, number: Int, record: @escaping @Sendable (WireRequest) -> Void) {
        self.socket = socket
        self.number = number
        self.record = record
        var yes: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
    }

    /// Reads a request with its body; `nil` when the other side is gone.
    @discardableResult
    func readRequest() -> WireRequest? {
        guard var request = readHead() else { return nil }
        if let length = request["Content-Length"].flatMap({ Int($0) }) {
            guard let body = readBytes(length) else { return nil }
            request.body = body
        } else if request["Transfer-Encoding"]?.lowercased() == "chunked" {
            while let chunk = readChunk() {
                if chunk.isEmpty { break }
                request.body += chunk
            }
            while let line = readLine(), !line.isEmpty { request.trailers += line + "\r\n" }
        }
        record(request)
        return request
    }

    /// Reads up to the empty line.
    func readHead() -> WireRequest? {
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = buffer.range(of: end) {
                let head = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer = Data(buffer[range.upperBound...])
                return WireRequest(head: head, body: Data(), connection: number)
            }
            guard fill() else { return nil }
        }
    }

    func readBytes(_ count: Int) -> Data? {
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    func readLine() -> String? {
        while true {
            if let range = buffer.range(of: Data("\r\n".utf8)) {
                let line = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer = Data(buffer[range.upperBound...])
                return line
            }
            guard fill() else { return nil }
        }
    }

    /// The next chunk of a chunked body; empty for the last.
    func readChunk() -> Data? {
        guard let line = readLine(), let size = Int(line.prefix { $0 != ";" }, radix: 16) else { return nil }
        if size == 0 { return Data() }
        guard let chunk = readBytes(size), readLine() != nil else { return nil }
        return chunk
    }

    /// Waits until the other side closes; what it sends is dropped.
    func readToEnd() {
        while fill() { buffer = Data() }
    }

    private func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(socket, &bytes, bytes.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            buffer.append(contentsOf: bytes[..<count])
            return true
        }
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Data(text.utf8)) }

    @discardableResult
    func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = send(socket, bytes.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    /// An answer with its length.
    func respond(_ status: String = "200 OK", headers: String = "", _ body: String = "") {
        write("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
    }

    /// Ends with RST in place of FIN.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            _ = sysClose(socket)
        }
    }

    /// Breaks the connection from another thread; the script's thread closes it.
    fileprivate func abort() {
        isClosed.withLock { if !$0 { _ = shutdown(socket, Int32(SHUT_RDWR)) } }
    }
}

private func sysClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
