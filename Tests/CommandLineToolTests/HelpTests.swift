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
    func `of the program lists the commands`(_ words: [String]) async {
        #expect(
            await output(of: words) == """
                Approve payments and logins from the command line.

                Usage: countersign COMMAND

                Commands:
                  approve             Approve a pending transaction.
                  push                Handle a push payload.
                  login               Print a code to log in with.
                  transaction create  Request the approval of a payment from an account.
                  transaction list    List pending transactions.
                  completion          Print the completion script of a shell.
                  manual              Print the manual page, for man or as Markdown.
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
    func `of a command fits into 80 columns and keeps the layout of examples`(_ words: [String])
        async
    {
        #expect(
            await output(of: words) == """
                Approve a pending transaction.

                Usage: countersign approve [ID] [--with pin|biometric|consent] [--yes]
                           [--pin-fd N] [--json]

                Shows the transaction, reads the PIN and sends the code. Without an ID the only
                pending transaction is meant.

                Examples:
                    countersign approve --with pin
                    countersign approve 7f3a --yes --pin-fd 3 3<pin.txt

                Arguments:
                  ID              The transaction to approve.

                Options:
                  -w, --with pin|biometric|consent
                                  The authentication method.
                  -y, --yes       Do not ask for confirmation.
                      --pin-fd N  Read the PIN from this file descriptor instead of the
                                  terminal.
                      --json      Print the verdict as JSON.
                  -h, --help      Show this help.

                """
        )
    }

    @Test func `marks optional and repeated parameters`() async {
        #expect(
            await output(of: ["transaction", "create", "--help"]) == """
                Request the approval of a payment from an account.

                Usage: countersign transaction create [PAYEE]... --amount AMOUNT
                           --currency CODE [--field LABEL=TEXT]...

                Arguments:
                  PAYEE                   The payee; several payees share the amount.

                Options:
                      --amount AMOUNT     The amount, with two decimals.
                      --currency CODE     The currency, in ISO 4217.
                      --field LABEL=TEXT  Another field to show; can be repeated.
                  -h, --help              Show this help.

                """
        )
    }

    @Test(arguments: [["help", "transaction"], ["transaction", "--help"]])
    func `of a topic lists its commands`(_ words: [String]) async {
        #expect(
            await output(of: words) == """
                Approve payments and logins from the command line.

                Usage: countersign transaction COMMAND

                Commands:
                  transaction create  Request the approval of a payment from an account.
                  transaction list    List pending transactions.

                """
        )
    }

    @Test func `--help after -- is an argument`() async {
        #expect(await output(of: ["approve", "--", "--help"]) == "approved <--help> by default\n")
    }

    @Test func `--version prints the version`() async {
        #expect(await output(of: ["--version"]) == "countersign 1.2.3\n")
    }
}
