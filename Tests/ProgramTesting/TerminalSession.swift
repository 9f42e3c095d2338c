import Foundation
import TestSupport

/// A program on its own terminal; keys are typed when the screen shows the expected text.
package final class TerminalSession {
    private let process = Process()
    private let keyboard = Pipe.closedOnExec()
    private let output = Pipe.closedOnExec()
    /// The whole output so far, and the length of its part before the last match.
    package private(set) var screen = ""
    private var seen = 0
    private var bytes = Data()

    package struct Silent: Error {
        let screen: String
    }

    package init(
        _ words: [String],
        columns: Int = 200,
        environment: [String: String] = [:]
    ) throws {
        let command = words.map { "'\($0)'" }.joined(separator: " ")
        process.executableURL = URL(filePath: "/usr/bin/script")
        process.arguments = [
            "-qefc", "stty columns \(columns); exec \(command)", "/dev/null",
        ]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TERM": "xterm", "NO_COLOR": "", "SHELL": "/bin/sh"]) { $1 }.merging(
                environment
            ) { $1 }
        process.standardInput = keyboard
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.start()
    }

    /// Waits until the screen shows this text after the previous match, and then types.
    package func wait(for text: String, typing keys: String = "") throws {
        while true {
            let remaining = screen.dropFirst(seen)
            if let found = remaining.range(of: text) {
                seen = screen.distance(from: screen.startIndex, to: found.upperBound)
                break
            }
            guard try readMore() else { throw Silent(screen: screen) }
        }
        try type(keys)
    }

    /// Waits until the output after the previous match is complete, and returns it.
    package func output(until isComplete: (String) -> Bool) throws -> String {
        while true {
            let output = String(screen.dropFirst(seen))
            if isComplete(output) {
                seen = screen.count
                return output
            }
            guard try readMore() else { throw Silent(screen: screen) }
        }
    }

    package func type(_ keys: String) throws {
        try keyboard.fileHandleForWriting.write(contentsOf: Data(keys.utf8))
    }

    /// Waits for the end, and returns the exit status as a shell does.
    package func end() throws -> Int32 {
        while try readMore() {}
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// False after the program has ended.
    private func readMore() throws -> Bool {
        // The error has the screen: `try?`.
        guard let more = try? output.fileHandleForReading.nextData() else {
            throw Silent(screen: screen)
        }
        // A character may be split between two reads.
        bytes += more
        screen = String(decoding: bytes, as: UTF8.self)
        return !more.isEmpty
    }
}
