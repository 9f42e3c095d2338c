import Foundation
import TestSupport

/// The sample program as a process.
enum SampleProcess {
    /// Next to the test bundle, in the folder of all built programs.
    static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "SampleProgram")

    struct Result {
        let exitCode: Int32
        let reason: Process.TerminationReason
        let messages: String
    }

    /// Runs the program to its end, with `output` as its standard output.
    static func run(
        _ words: [String],
        output: FileHandle,
        environment: [String: String] = [:]
    ) throws -> Result {
        let process = Process()
        let messages = Pipe.closedOnExec()
        process.executableURL = executable
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = messages
        try process.start()
        let text = try messages.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            exitCode: process.terminationStatus,
            reason: process.terminationReason,
            messages: String(decoding: text, as: UTF8.self)
        )
    }
}
