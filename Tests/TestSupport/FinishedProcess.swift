import Foundation
import Synchronization

/// A program that ran to its end, and all that it said.
package struct FinishedProcess: Sendable {
    package let exitCode: Int32
    package let output: String
    package let errorOutput: String

    /// Runs `program`, found on the path, with `input` on its standard input.
    package static func run(
        _ program: String,
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = [:]
    ) throws -> FinishedProcess {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()

        let errorOutput = Mutex(Data())
        let reading = DispatchGroup()
        DispatchQueue.global().async(group: reading) {
            let data = standardError.fileHandleForReading.readDataToEndOfFile()
            errorOutput.withLock { $0 = data }
        }
        DispatchQueue.global().async(group: reading) {
            // A program that does not read its input ends the pipe: that is its business.
            try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? standardInput.fileHandleForWriting.close()
        }
        let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
        reading.wait()
        process.waitUntilExit()
        return FinishedProcess(
            exitCode: process.terminationStatus,
            output: String(decoding: output, as: UTF8.self),
            errorOutput: String(decoding: errorOutput.withLock { $0 }, as: UTF8.self)
        )
    }
}
