package import Foundation

/// How long a test waits for another thread or process, also on a busy machine.
package let maximumWait = Duration.seconds(120)

package struct WaitTimedOut: Error, CustomStringConvertible {
    private let place: String

    package init(at place: String) { self.place = place }

    package var description: String { "\(place): waited at least \(maximumWait)" }
}

/// Repeats a check until it is true, and throws after `maximumWait` and a hundred checks.
///
/// Tests that block all threads of the process can also stop the task that this one waits for.
package func waitUntil(
    file: String = #fileID,
    line: Int = #line,
    _ isTrue: () async throws -> Bool
) async throws {
    let start = ContinuousClock.now
    var count = 0
    while try await !isTrue() {
        count += 1
        guard .now < start + maximumWait || count < 100 else {
            throw WaitTimedOut(at: "\(file):\(line)")
        }
        try await Task.sleep(for: pause(since: start))
    }
}

/// Repeats a check without suspending, and throws after `maximumWait`.
package func spinUntil(
    file: String = #fileID,
    line: Int = #line,
    _ isTrue: () throws -> Bool
) throws {
    let start = ContinuousClock.now
    while try !isTrue() {
        guard .now < start + maximumWait else { throw WaitTimedOut(at: "\(file):\(line)") }
        usleep(UInt32(pause(since: start) / .microseconds(1)))
    }
}

/// The time until the next check.
///
/// A wait becomes a twentieth longer, and leaves the processors to the programs that it waits for.
private func pause(since start: ContinuousClock.Instant) -> Duration {
    min(max((.now - start) / 20, .microseconds(100)), .milliseconds(20))
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
