import Foundation
import TestSupport

/// A store program that runs until it ends or is killed.
final class RunningProgram {
    private let process = Process()
    private let input = Pipe.closedOnExec()
    private let output = Pipe.closedOnExec()
    private var unread = Data()

    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: BuiltProducts.path(of: "StoreProgram"))
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.start()
    }

    deinit {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    var isRunning: Bool { process.isRunning }

    /// Writes a line to the program's standard input.
    func send(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Returns the next lines of output, or fewer if the program ended.
    func lines(_ count: Int) throws -> [Substring] {
        var ends: [Data.Index] = []
        while true {
            ends = unread.indices.filter { unread[$0] == UInt8(ascii: "\n") }
            let more = ends.count < count ? try output.fileHandleForReading.nextData() : Data()
            if more.isEmpty { break }
            unread += more
        }
        let end = ends.prefix(count).last.map { $0 + 1 } ?? unread.startIndex
        let text = unread.prefix(upTo: end)
        unread = Data(unread.dropFirst(text.count))
        return text.lines
    }

    /// Returns at least `count` bytes of output, or fewer if the program ended.
    func output(atLeast count: Int) throws -> Data {
        var text = Data()
        while text.count < count {
            let more = try output.fileHandleForReading.nextData()
            if more.isEmpty { break }
            text += more
        }
        return text
    }

    /// Kills the program, and returns the output that was not read.
    func kill() throws -> Data {
        Glibc.kill(process.processIdentifier, SIGKILL)
        return try remainingOutput()
    }

    func remainingOutput() throws -> Data {
        let remaining = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return unread + remaining
    }
}

extension Data {
    var lines: [Substring] { String(decoding: self, as: UTF8.self).split(separator: "\n") }

    /// The last reported count of each caller.
    func reportedCounts() -> [Int64: Int64] {
        var counts: [Int64: Int64] = [:]
        for line in lines {
            let words = line.split(separator: " ").compactMap { Int64($0) }
            if words.count == 2 { counts[words[0]] = words[1] }
        }
        return counts
    }
}
