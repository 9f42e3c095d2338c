import Foundation
import Glibc
import PrivateFiles
import TestSupport

/// A proxy in front of a server that cuts a connection during a commit.
final class CuttingRelay: Sendable {
    enum Cut {
        /// The server never receives the commit.
        case beforeServer
        /// The server commits, but the client receives no response.
        case afterServer
        /// The server commits while the client loses the connection.
        case duringCommit
        /// The server receives nothing, and the connection stays open.
        case silence
    }

    private let folder: TemporaryFolder
    private let server: String
    private let listener: OwnedDescriptor
    private let commitCount = LockedValue(0)
    private let cut: @Sendable (Int) -> Cut?
    private let afterCommit: @Sendable () -> Void

    /// Returns a relay that cuts each `COMMIT` as `cut` decides; the first `COMMIT` has number 1.
    ///
    /// `afterCommit` runs after a commit whose response is lost.
    init(
        to server: PostgresServer,
        cut: @escaping @Sendable (Int) -> Cut?,
        afterCommit: @escaping @Sendable () -> Void = {}
    ) throws {
        folder = try TemporaryFolder()
        self.server = server.folder
        self.cut = cut
        self.afterCommit = afterCommit
        listener = try OwnedDescriptor(unixSocket())
        let number = listener.number
        let isListening =
            withAddress(in: folder.path) { bind(number, $0, $1) } == 0 && listen(number, 64) == 0
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        Thread.detachNewThread { [self] in
            // `close` makes `accept` fail, which ends the loop.
            while let client = try? OwnedDescriptor(accept(listener.number, nil, nil)) {
                Thread.detachNewThread { [self] in relay(client) }
            }
        }
    }

    /// The connection string of the database through this relay.
    func address(of database: String) -> String {
        database.replacing("host=\(server)", with: "host=\(folder.path)")
    }

    /// Accepts no new connections.
    func close() { shutdown(listener.number, Int32(SHUT_RDWR)) }

    private func relay(_ accepted: OwnedDescriptor) {
        // Without a socket, the client sees the end of its connection.
        guard let opened = try? OwnedDescriptor(unixSocket()) else { return }
        let (client, backend) = (accepted.number, opened.number)
        defer { for descriptor in [accepted, opened] { descriptor.close() } }
        guard withAddress(in: server, { connect(backend, $0, $1) }) == 0 else { return }
        while true {
            var sockets = [client, backend].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&sockets, 2, -1)
            if sockets[1].revents != 0 {
                guard pass(from: backend, to: client) else { return }
            } else {
                guard relayCommand(from: client, to: backend) else { return }
            }
        }
    }

    /// Returns false if the connection has ended.
    private func relayCommand(from client: Int32, to backend: Int32) -> Bool {
        let bytes = received(from: client)
        guard bytes.count > 0 else { return false }
        let isCommit = String(decoding: bytes, as: UTF8.self).contains("COMMIT\0")
        switch isCommit ? nextCut() : nil {
        case nil: return sent(bytes, to: backend)
        case .beforeServer: return false
        case .silence: return true
        case .duringCommit:
            _ = sent(bytes, to: backend)
            return false
        case .afterServer:
            _ = sent(bytes, to: backend)
            _ = received(from: backend)
            afterCommit()
            return false
        }
    }

    private func nextCut() -> Cut? {
        let number = commitCount.withLock { count in
            count += 1
            return count
        }
        return cut(number)
    }

    private func pass(from source: Int32, to target: Int32) -> Bool {
        let bytes = received(from: source)
        return !bytes.isEmpty && sent(bytes, to: target)
    }
}

private func received(from socket: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(count, 0)))
}

private func sent(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var unsent = bytes[...]
    while !unsent.isEmpty {
        let count = unsent.withUnsafeBytes {
            send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        unsent = unsent.dropFirst(count)
    }
    return true
}

private func unixSocket() -> Int32 {
    socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
}

private func withAddress(
    in folder: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    withUnixAddress(Array("\(folder)/.s.PGSQL.5432".utf8), body)
}
