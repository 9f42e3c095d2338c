import CLinux
package import Foundation
import Glibc

/// A pipe whose reader never waits, and which child processes do not inherit.
package final class TestPipe: Sendable {
    package let reading: OwnedDescriptor
    package let writing: OwnedDescriptor

    package init() throws {
        var ends: [Int32] = [0, 0]
        guard countersign_pipe(&ends) == 0 else { throw OwnedDescriptor.Failure() }
        reading = try OwnedDescriptor(ends[0])
        writing = try OwnedDescriptor(ends[1])
        guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else { throw OwnedDescriptor.Failure() }
    }

    /// Everything that was written and not read yet.
    package func read() -> String {
        var (bytes, all) = ([UInt8](repeating: 0, count: 65_536), [UInt8]())
        while case let count = Glibc.read(reading.number, &bytes, bytes.count), count > 0 {
            all += bytes.prefix(count)
        }
        return String(decoding: all, as: UTF8.self)
    }
}

extension Pipe {
    /// A pipe that only the process that it is given to inherits.
    ///
    /// Any other child process would keep it open, and its reader would wait for that process.
    package static func closedOnExec() -> Pipe {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }
}
