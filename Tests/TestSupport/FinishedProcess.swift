import Foundation
import Synchronization

/// A program that ran to its end, and all that it said.
package struct FinishedProcess: Sendable {
    /// As a shell tells it: 128 and the signal's number where a signal ended the program.
    package let exitCode: Int32
    package let output: String
    package let errorOutput: String

    /// Runs `program`, found on the path, with `input` on its standard input.
    package static func run(
        _ program: String,
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> FinishedProcess {
        // A program that does not read its input must not end its caller; a handler, unlike SIG_IGN,
        // is not inherited.
        signal(SIGPIPE) { _ in }
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
            // Whether it reads its input is the program's business.
            try? standardInput.fileHandleForWriting.write(contentsOf: Data(input))
            try? standardInput.fileHandleForWriting.close()
        }
        let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
        reading.wait()
        process.waitUntilExit()
        return FinishedProcess(
            exitCode: process.terminationReason == .exit
                ? process.terminationStatus : 128 + process.terminationStatus,
            output: String(decoding: output, as: UTF8.self),
            errorOutput: String(decoding: errorOutput.withLock { $0 }, as: UTF8.self)
        )
    }
}
