import Foundation
import PrivateFiles
import TestSupport

/// Passes bytes between clients and a server, and keeps what the clients sent.
final class RecordingRelay: Sendable {
    private let listener: LoopbackSocket
    private let server: Int
    private let bytes = LockedValue([UInt8]())

    /// Accepts clients until the test process ends.
    init(to server: Int) throws {
        self.server = server
        listener = try LoopbackSocket(.listening)
        Thread.detachNewThread { [self] in
            while let client = try? OwnedDescriptor(
                accept(listener.descriptor.number, nil, nil)
            ) {
                // Without a connection, the client sees the end of its own.
                guard let backend = try? LoopbackSocket(.connected, to: self.server) else {
                    client.close()
                    continue
                }
                let (from, to) = (client, backend.descriptor)
                Thread.detachNewThread { [self] in pass(from, to, isRecorded: true) }
                Thread.detachNewThread { [self] in pass(to, from, isRecorded: false) }
            }
        }
    }

    var port: Int { listener.port }

    /// The bytes of all clients until now.
    var sent: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    private func pass(_ source: OwnedDescriptor, _ target: OwnedDescriptor, isRecorded: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(source.number, &buffer, buffer.count, 0), count > 0 {
            let piece = Array(buffer[..<count])
            // Before it is passed on, so that a response means that its request is recorded.
            if isRecorded { bytes.withLock { $0 += piece } }
            guard send(target.number, piece, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(target.number, Int32(SHUT_WR))
    }
}
