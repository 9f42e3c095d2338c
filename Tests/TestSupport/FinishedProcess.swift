import Foundation
import PrivateFiles

/// A program that ran to its end, with its output.
package struct FinishedProcess: Sendable {
    /// As in a shell: 128 plus the signal's number if a signal ended the program.
    package let exitCode: Int32
    package let output: String
    package let errorOutput: String

    /// Runs `program`, found on the path, with `input` as its standard input.
    package static func run(
        _ program: String,
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> FinishedProcess {
        ignoreBrokenPipes()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (standardInput, standardOutput, standardError) = (
            Pipe.closedOnExec(), Pipe.closedOnExec(), Pipe.closedOnExec()
        )
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.start()

        let errorOutput = LockedValue(Data())
        let group = DispatchGroup()
        onThread(of: group) {
            // The program may end before it reads its input.
            try? standardInput.fileHandleForWriting.write(contentsOf: Data(input))
            try? standardInput.fileHandleForWriting.close()
        }
        onThread(of: group) {
            let data = standardError.fileHandleForReading.readDataToEndOfFile()
            errorOutput.withLock { $0 = data }
        }
        let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
        group.wait()
        process.waitUntilExit()
        return FinishedProcess(
            exitCode: process.terminationReason == .exit
                ? process.terminationStatus : 128 + process.terminationStatus,
            output: String(decoding: output, as: UTF8.self),
            errorOutput: String(decoding: errorOutput.withLock { $0 }, as: UTF8.self)
        )
    }
    /// The global queue has one thread for each core, and other tests occupy them.
    private static func onThread(
        of group: DispatchGroup,
        _ body: @escaping @Sendable () -> Void
    ) {
        group.enter()
        Foundation.Thread.detachNewThread {
            body()
            group.leave()
        }
    }
}
