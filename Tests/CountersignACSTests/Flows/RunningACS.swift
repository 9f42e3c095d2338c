import Foundation
import TestSupport

/// `countersign-acs run` in its own process, which ends with this value.
final class RunningACS {
    private let process = Process()
    private let log = Pipe.closedOnExec()
    private var unread = Data()
    private(set) var logLines: [String] = []

    struct EndedEarly: Error {
        let logLines: [String]
    }

    /// `launcher` are words of a command that runs the program after them.
    init(_ configuration: String, by launcher: [String] = []) throws {
        let words = launcher + [ACSFolder.program, "run", "--config", configuration]
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = log
        try process.run()
        try wait(for: #""message":"started""#)
    }

    deinit { kill() }

    var processID: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    func kill(by signal: Int32 = SIGKILL) {
        if isRunning { _ = Glibc.kill(process.processIdentifier, signal) }
        process.waitUntilExit()
    }

    /// Reads the rest of the log of a process that ended.
    func readLog() throws {
        while let line = try nextLine() { logLines.append(line) }
    }

    /// Stops it, reads the rest of its log, and returns its exit status.
    func stop() throws -> Int32 {
        // A full pipe would lose the last line.
        while hasUnreadLog { unread += log.fileHandleForReading.availableData }
        process.terminate()
        try readLog()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private var hasUnreadLog: Bool {
        let file = log.fileHandleForReading.fileDescriptor
        var event = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) > 0 && Int32(event.revents) & POLLIN != 0
    }

    /// Waits for the next log line that contains this text.
    @discardableResult
    func wait(for text: String) throws -> String {
        while let line = try nextLine() {
            logLines.append(line)
            if line.contains(text) { return line }
        }
        throw EndedEarly(logLines: logLines)
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
