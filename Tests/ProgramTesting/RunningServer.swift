import Foundation
import TestSupport

/// A server in its own process, which ends with this value.
package class RunningServer {
    private let process = Process()
    private let log = Pipe.closedOnExec()
    private var unread = Data()
    package private(set) var logLines: [String] = []

    package struct EndedEarly: Error {
        let logLines: [String]
    }

    /// Runs these words, and waits for a log line that contains `text`.
    package init(
        _ words: [String],
        environment: [String: String] = [:],
        until text: String
    ) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardError = log
        try process.start()
        try wait(for: text)
    }

    deinit { kill() }

    package var processID: Int32 { process.processIdentifier }

    package var isRunning: Bool { process.isRunning }

    package func signal(_ number: Int32) { _ = Glibc.kill(processID, number) }

    /// Ends the process by a signal.
    package func kill(by number: Int32 = SIGKILL) {
        if isRunning { signal(number) }
        process.waitUntilExit()
    }

    /// Waits for the end, and returns the exit status as a shell does.
    package func end() -> Int32 {
        do {
            try readLog()
        } catch {
            // The exit status shows it.
            signal(SIGKILL)
        }
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Stops the process and waits for its end.
    package func stop() -> Int32 {
        // A full pipe would lose the last line.
        while hasUnreadLog { unread += log.fileHandleForReading.availableData }
        signal(SIGTERM)
        return end()
    }

    private var hasUnreadLog: Bool {
        let file = log.fileHandleForReading.fileDescriptor
        var event = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) > 0 && Int32(event.revents) & POLLIN != 0
    }
}

// MARK: Log

extension RunningServer {
    /// Waits for the next log line that contains this text.
    @discardableResult
    package func wait(for text: String) throws -> String {
        while let line = try nextLine() {
            logLines.append(line)
            if line.contains(text) { return line }
        }
        throw EndedEarly(logLines: logLines)
    }

    /// Reads the rest of the log of a process that ends.
    package func readLog() throws {
        while let line = try nextLine() { logLines.append(line) }
    }

    private func nextLine() throws -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = try log.fileHandleForReading.nextData()
            if more.isEmpty { return nil }
            unread += more
        }
    }
}
