import Testing

@testable import CommandLineTool
@testable import SampleProgram

@Suite struct `A wrong command line` {
    private static let see = "see countersign approve --help"
    private static let secret =
        "if it was a PIN or a card number, delete it from the history of the shell"

    private func refusal(of words: [String]) throws -> CommandFailure {
        try #require(throws: CommandFailure.self) { try sampleProgram.command(for: words) }
    }

    @Test(arguments: [
        (["--bogus"], "unknown option --bogus", see),
        (["--jsn"], "unknown option --jsn", "did you mean --json?"),
        (["--wiht=pin"], "unknown option --wiht", "did you mean --with?"),
        (["-x"], "unknown option -x", see),
        (["--with"], "--with needs a value", see),
        (
            ["--with", "--yes"], "--with needs a value",
            "if the value starts with -, write --with=-…"
        ),
        (["--with", "pin", "-w", "pin"], "--with is given twice", see),
        (["-y", "--yes"], "--yes is given twice", see),
        (["--yes=no"], "--yes takes no value", see),
        (["a", "b"], "there are too many arguments", see),
        (["a", "2719-05"], "there are too many arguments", secret),
        (["--with", "luck"], "--with must be one of pin, biometric, consent", see),
        (["--with", "Pin"], "--with must be one of pin, biometric, consent", see),
        (["--pin-fd", "three"], "--pin-fd must be a whole number", see),
        (["--pin-fd", "3-4"], "--pin-fd must be a whole number", see),
        (["--pin-fd", "4294967296"], "--pin-fd must be a whole number", secret),
        (["--with", "4000 0012 3456"], "--with must be one of pin, biometric, consent", secret),
        (["--4000001234567899"], "unknown option", secret),
        (["--4000001234567899=1"], "unknown option", secret),
        (["-4711"], "unknown option", secret),
        (["--code=123456"], "unknown option --code", secret),
        (["--code", "123456"], "unknown option --code", secret),
        (["--code", "a"], "unknown option --code", see),
        (["-q123456"], "unknown option -q", secret),
        (["--yes=123456"], "--yes takes no value", secret),
        (["--wit4"], "unknown option", see),
    ])
    func `fails with the error and a hint`(_ words: [String], message: String, hint: String) throws
    {
        let refusal = try refusal(of: ["approve"] + words)
        #expect(refusal == CommandFailure(.usage, message, hint: hint))
    }

    @Test(arguments: [
        (["push"], "FILE is missing", "see countersign push --help"),
        (["push", ""], "FILE must be a file name", "see countersign push --help"),
        (
            ["transaction", "create", "--amount", "1.00"], "--currency is missing",
            "see countersign transaction create --help"
        ),
        (
            ["transaction", "create", "--amount", "1", "--currency", "EUR"],
            "--amount must be an amount such as 47.11",
            "see countersign transaction create --help"
        ),
        (
            ["login", "--sign=a", "--sign-file=b"], "use either --sign or --sign-file",
            "see countersign login --help"
        ),
    ])
    func `names the missing or malformed parameter`(
        _ words: [String],
        message: String,
        hint: String
    )
        throws
    {
        #expect(try refusal(of: words) == CommandFailure(.usage, message, hint: hint))
    }

    @Test(arguments: [
        ([], "a command must come first", "see countersign --help"),
        (["--json", "approve"], "a command must come first", "see countersign --help"),
        (["frobnicate"], "unknown command frobnicate", "see countersign --help"),
        (["271906"], "unknown command", secret),
        (["transaction", "4000001234567899"], "unknown command", secret),
        (["aprove"], "unknown command aprove", "did you mean approve?"),
        (["tranaction", "list"], "unknown command tranaction", "did you mean transaction?"),
        (
            ["transaction"], "transaction needs a subcommand",
            "see countersign transaction --help"
        ),
        (
            ["transaction", "lst"], "unknown command transaction lst",
            "did you mean transaction list?"
        ),
        (
            ["transaction", "frobnicate"], "unknown command transaction frobnicate",
            "see countersign transaction --help"
        ),
        (["help", "aprove"], "unknown command aprove", "did you mean approve?"),
        (["aprove", "--help"], "unknown command aprove", "did you mean approve?"),
    ])
    func `names the unknown command`(_ words: [String], message: String, hint: String)
        throws
    {
        #expect(try refusal(of: words) == CommandFailure(.usage, message, hint: hint))
    }

    @Test(arguments: [
        ["approve", "7f3a", "123456"],
        ["approve", "--pin=123456"],
        ["approve", "-p123456"],
        ["approve", "--with", "123456"],
        ["approve", "--yes=123456"],
        ["approve", "--pin-fd", "123456x"],
        ["approve", "-w", "-123456"],
        ["approve", "--123456"],
        ["transaction", "123456"],
    ])
    func `SEC-27 the error does not quote a PIN in the wrong place`(_ words: [String]) throws {
        let report = try refusal(of: words).report(from: "countersign", on: Output { _ in })
        #expect(!report.contains("123456"))
    }
}
