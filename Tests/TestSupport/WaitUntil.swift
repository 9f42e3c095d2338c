package import Foundation

/// The maximum time that a test waits for another thread or process, also on a busy machine.
package let maximumWait = Duration.seconds(120)

package struct WaitTimedOut: Error, CustomStringConvertible {
    private let place: String

    package init(at place: String) { self.place = place }

    package var description: String { "\(place): waited \(maximumWait)" }
}

/// Repeats a check until it is true, and throws after `maximumWait`.
package func waitUntil(
    file: String = #fileID,
    line: Int = #line,
    _ isTrue: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + maximumWait
    while try await !isTrue() {
        try Task.checkCancellation()
        guard .now < end else { throw WaitTimedOut(at: "\(file):\(line)") }
        await Task.yield()
    }
}

/// Repeats a check without suspending, and throws after `maximumWait`.
package func spinUntil(
    file: String = #fileID,
    line: Int = #line,
    _ isTrue: () throws -> Bool
) throws {
    let end = ContinuousClock.now + maximumWait
    while try !isTrue() {
        guard .now < end else { throw WaitTimedOut(at: "\(file):\(line)") }
        sched_yield()
    }
}

extension FileHandle {
    /// The next bytes of another process, or none at the end; throws after `maximumWait`.
    package func nextData() throws -> Data {
        var event = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        let timeout = Int32(maximumWait.components.seconds * 1000)
        guard poll(&event, 1, timeout) == 1 else {
            throw WaitTimedOut(at: "output of another process")
        }
        return availableData
    }
}
