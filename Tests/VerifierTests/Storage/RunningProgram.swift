import Foundation
import TestSupport

/// A store program that runs until it ends or is killed.
final class RunningProgram {
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: String...) throws {
        process.executableURL = URL(filePath: BuiltProducts.path(of: "StoreProgram"))
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// Gives what it says until `count` bytes came; less where it ended.
    func output(atLeast count: Int) throws -> Data {
        var text = Data()
        while text.count < count {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        return text
    }

    /// Ends it as a power cut would, and gives what it had said and nobody had read.
    func kill() throws -> Data {
        Glibc.kill(process.processIdentifier, SIGKILL)
        return try remainingOutput()
    }

    func remainingOutput() throws -> Data {
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return rest
    }
}

extension Data {
    var lines: [Substring] { String(decoding: self, as: UTF8.self).split(separator: "\n") }

    /// How far each caller of `count` was told to have come.
    func toldCounts() -> [Int64: Int64] {
        var counts: [Int64: Int64] = [:]
        for line in lines {
            let words = line.split(separator: " ").compactMap { Int64($0) }
            if words.count == 2 { counts[words[0]] = words[1] }
        }
        return counts
    }
}
