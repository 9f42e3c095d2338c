import Foundation
import TestSupport
import Testing

@Suite struct `The program as a process` {
    @Test func `prints the result and exits with 0`() throws {
        let output = Pipe.closedOnExec()
        let result = try SampleProcess.run(["--version"], output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: text, as: UTF8.self) == "countersign 1.2.3\n")
        #expect(result.messages.isEmpty)
        #expect(result.exitCode == 0)
    }

    @Test(arguments: [
        (["approve", "--jsn"], 64, "unknown option --jsn\nhint: did you mean --json?\n"),
        (["transaction", "list"], 2, "nothing is pending\n"),
    ])
    func `prints a failure on standard error and exits with its code`(
        _ words: [String],
        exitCode: Int32,
        message: String
    ) throws {
        let result = try SampleProcess.run(words, output: .nullDevice)
        #expect(result.messages == "countersign: " + message)
        #expect(result.exitCode == exitCode)
    }

    @Test func `fails if the disk is full`() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let result = try SampleProcess.run(["--help"], output: full)
        let reason = "cannot write to standard output: No space left on device"
        #expect(result.messages == "countersign: \(reason)\n")
        #expect(result.exitCode == 74)
    }

    /// The clean-up of a library could free memory twice, together with an ending thread.
    @Test func `exits without the clean-up of libraries`() throws {
        let loud = ["LD_DEBUG": "files"]
        let result = try SampleProcess.run(["--version"], output: .nullDevice, environment: loud)
        #expect(result.exitCode == 0)
        #expect(result.messages.contains("calling init:"))
        #expect(!result.messages.contains("calling fini:"))
    }

    @Test func `reports a closed pipe`() throws {
        let pipe = Pipe.closedOnExec()
        try pipe.fileHandleForReading.close()
        let result = try SampleProcess.run(["--help"], output: pipe.fileHandleForWriting)
        #expect(result.messages == "countersign: cannot write to standard output: Broken pipe\n")
        #expect(result.reason == .exit)
        #expect(result.exitCode == 74)
    }
}
