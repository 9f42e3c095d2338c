import Testing

@testable import CommandLineTool
@testable import SampleProgram

@Suite struct `Completion candidates` {
    @Test(arguments: [
        ([""], ["approve", "push", "login", "transaction", "completion", "manual", "help"]),
        (["p"], ["push"]),
        (["x"], []),
        (["transaction", ""], ["create", "list"]),
        (["transaction", "c"], ["create"]),
        (["push", "x", ""], []),
        (["approve", ""], []),
        (["approve", "-"], ["--with", "--yes", "--pin-fd", "--json", "--help"]),
        (["approve", "--y"], ["--yes"]),
        (["approve", "--with", ""], ["pin", "biometric", "consent"]),
        (["approve", "-w", "c"], ["consent"]),
        (["approve", "--with=c"], ["consent"]),
        (["approve", "--bogus=c"], []),
        (["approve", "--pin-fd", ""], []),
        (["approve", "--with", "pin", "-y", "--j"], ["--json"]),
        (["approve", "--with", "pin", "--w"], []),
        (["approve", "--bogus", "--with", "p"], ["pin"]),
        (["approve", "--", "--y"], []),
        (["transaction", "create", "--field", "a=b", "--fi"], ["--field"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["completion", "bash", ""], []),
        (["help", "tr"], ["transaction"]),
        (["help", "transaction", ""], ["create", "list"]),
        (["help", "approve", "--"], []),
    ])
    func `are the words that are valid at the cursor`(_ words: [String], expected: [String]) {
        guard case .words(let candidates) = sampleProgram.candidates(completing: words) else {
            Issue.record("\(words) gives files")
            return
        }
        #expect(candidates.map(\.word) == expected)
    }

    @Test(arguments: [
        ["push", "in"], ["push", "--", ""], ["login", "--sign-file", ""],
        ["login", "--sign-file=in"],
    ])
    func `are files if the parameter is a file`(_ words: [String]) {
        #expect(sampleProgram.candidates(completing: words) == .files)
    }

    @Test(arguments: [
        (Shell.bash, "list\n"),
        (.zsh, "list:List pending transactions.\n"),
        (.fish, "list\tList pending transactions.\n"),
    ])
    func `have the format of the shell`(_ shell: Shell, expected: String) async {
        let transcript = Transcript()
        let words = ["completion", shell.rawValue, "--", "transaction", "l"]
        #expect(await sampleProgram.run(words, on: transcript.terminal) == .done)
        #expect(transcript.output == expected)
    }
}
