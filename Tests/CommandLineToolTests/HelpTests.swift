import Testing

@testable import CommandLineTool
@testable import SampleProgram

@Suite struct `Help text` {
    private func output(of words: [String]) async -> String {
        let transcript = Transcript()
        #expect(await sampleProgram.run(words, on: transcript.terminal) == .done)
        #expect(transcript.messages.isEmpty)
        return transcript.output
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], ["--json", "--help"]])
    func `on the program lists its commands`(_ words: [String]) async {
        #expect(
            await output(of: words) == """
                Approve payments and logins from the command line.

                Usage: countersign COMMAND

                Commands:
                  approve             Approve a pending transaction.
                  push                Handle a push payload.
                  login               Print a code to log in with.
                  transaction create  Ask an account to approve a payment.
                  transaction list    List what is pending.
                  completion          Print the completion script of a shell.
                  manual              Print the page of the manual, for man to show.
                  help                Show help for the program or for one command.

                Options:
                  -h, --help          Show this help.
                      --version       Show the version.

                """
        )
    }

    @Test(arguments: [
        ["help", "approve"], ["approve", "--help"], ["approve", "7f3a", "--bogus", "-h"],
    ])
    func `on a command fits 80 columns and keeps examples as they are`(_ words: [String]) async {
        #expect(
            await output(of: words) == """
                Approve a pending transaction.

                Usage: countersign approve [ID] [--with pin|biometric|consent] [--yes]
                           [--pin-fd N] [--json]

                Shows the transaction, asks for the PIN and sends the code. Without an ID the
                only pending transaction is meant.

                Examples:
                    countersign approve --with pin
                    countersign approve 7f3a --yes --pin-fd 3 3<pin.txt

                Arguments:
                  ID              The transaction to approve.

                Options:
                  -w, --with pin|biometric|consent
                                  What proves that it is you.
                  -y, --yes       Do not ask whether the transaction is right.
                      --pin-fd N  Read the PIN from this file descriptor instead of the
                                  terminal.
                      --json      Print the verdict as JSON.
                  -h, --help      Show this help.

                """
        )
    }

    @Test func `tells required, optional and repeated parameters apart`() async {
        #expect(
            await output(of: ["transaction", "create", "--help"]) == """
                Ask an account to approve a payment.

                Usage: countersign transaction create [PAYEE]... --amount AMOUNT
                           --currency CODE [--field LABEL=TEXT]...

                Arguments:
                  PAYEE                   Who gets it; several share it.

                Options:
                      --amount AMOUNT     How much, with two decimals.
                      --currency CODE     ISO 4217 code.
                      --field LABEL=TEXT  Something more to show; may be given again.
                  -h, --help              Show this help.

                """
        )
    }

    @Test(arguments: [["help", "transaction"], ["transaction", "--help"]])
    func `on a topic lists the commands below it`(_ words: [String]) async {
        #expect(
            await output(of: words) == """
                Approve payments and logins from the command line.

                Usage: countersign transaction COMMAND

                Commands:
                  transaction create  Ask an account to approve a payment.
                  transaction list    List what is pending.

                """
        )
    }

    @Test func `behind -- is an argument like any other`() async {
        #expect(await output(of: ["approve", "--", "--help"]) == "approved <--help> by default\n")
    }

    @Test func `gives the version`() async {
        #expect(await output(of: ["--version"]) == "countersign 1.2.3\n")
    }
}
