import Foundation
import TestSupport

/// A client that sends raw bytes over a socket, with a timeout of one minute.
final class RawClient {
    private let socket: OwnedDescriptor
    private var received: [UInt8] = []
    private var isOpen = true
    private var descriptor: Int32 { socket.number }

    struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// The connection ended, or the timeout passed.
    struct NothingCame: Error {}

    init(_ port: Int, from address: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
        socket = try OwnedDescriptor(Glibc.socket(AF_INET, Int32(kind), 0))
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        }
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &timeout,
            socklen_t(MemoryLayout<timeval>.size)
        )
        try call("bind", address, 0, bind)
        try call("connect", "127.0.0.1", port, connect)
    }

    private func call(
        _ name: String,
        _ host: String,
        _ port: Int,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        let status = withLoopbackAddress(host, port: port) { body(descriptor, $0, $1) }
        guard status == 0 else { throw Failure(call: name, code: errno) }
    }

    func close() {
        if isOpen { socket.close() }
        isOpen = false
    }

    /// Resets the connection.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<Foundation.linger>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
        close()
    }

    /// False if the server has closed.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends until the buffers on the way are full, and the server takes nothing for a second.
    func sendUntilFull(_ bytes: [UInt8]) {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&entry, 1, 1000) == 1, entry.revents == Int16(POLLOUT) {
            _ = Foundation.send(descriptor, bytes, bytes.count, flags)
        }
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Returns whether there is input or an end.
    var hasInput: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    /// Returns whether the connection ended, also by a reset; throws at the timeout.
    func isAtEnd() throws -> Bool {
        guard received.isEmpty else { return false }
        return try !receive()
    }

    /// Everything up to the end.
    func remainingText() throws -> String {
        while try receive() {}
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads up to and including this text.
    func take(upTo text: String) throws -> String {
        while true {
            if let range = received.firstRange(of: Array(text.utf8)) {
                return take(range.upperBound)
            }
            guard try receive() else { throw NothingCame() }
        }
    }

    func take(_ count: Int) -> String {
        defer { received.removeFirst(count) }
        return String(decoding: received[..<count], as: UTF8.self)
    }

    /// False at the end.
    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 || errno == ECONNRESET else { throw NothingCame() }
        received += buffer.prefix(max(0, count))
        return count > 0
    }
}

// MARK: Responses

extension RawClient {
    struct Response: Equatable {
        var status: Int
        var fields: [String: String]
        var body: String
    }

    /// The next response, with a length; not for HEAD.
    func response(hasBody: Bool = true) throws -> Response {
        var lines = try take(upTo: "\r\n\r\n").components(separatedBy: "\r\n")
        let statusLine = lines.removeFirst().split(separator: " ")
        var fields: [String: String] = [:]
        for line in lines where !line.isEmpty {
            let parts = line.components(separatedBy: ": ")
            fields[parts[0]] = parts[1...].joined(separator: ": ")
        }
        let count = hasBody ? Int(fields["content-length"] ?? "") ?? 0 : 0
        while received.count < count {
            guard try receive() else { throw NothingCame() }
        }
        return Response(status: Int(statusLine[1]) ?? 0, fields: fields, body: take(count))
    }

    /// The response to this request.
    func exchange(_ text: String) throws -> Response {
        send(text)
        return try response()
    }
}
