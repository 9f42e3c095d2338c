import Glibc
import PrivateFiles
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A child process` {
    private let program = ChildProcess.Program(
        path: "/bin/sh",
        arguments: ["-c", "echo $$; exec sleep 1000"]
    )

    private func number(printedBy process: borrowing ChildProcess) throws -> pid_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(process.output.number, &bytes, bytes.count)
        let line = String(decoding: bytes.prefix(count), as: UTF8.self)
        return try #require(pid_t(line.dropLast()))
    }

    private func start(_ input: [UInt8]?) throws(FileFailure) -> ChildProcess {
        if let input { return try ChildProcess(program, input: input) }
        return try ChildProcess(program)
    }

    @Test(arguments: [nil, []] as [[UInt8]?])
    func `is killed and leaves no zombie without a call of end`(_ input: [UInt8]?) throws {
        let number = try number(printedBy: start(input))
        #expect(kill(number, 0) == -1)
        #expect(errno == ESRCH)
    }

    @Test func `does not start with more input than every pipe takes`() {
        #expect(throws: FileFailure.tooLarge) {
            _ = try ChildProcess(program, input: [UInt8](repeating: 0, count: 4097))
        }
    }
}
