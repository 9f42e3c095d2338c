import Testing

@testable import CommandLineTool
@testable import SampleProgram

@Suite struct `Parsing a command line` {
    private func parse<Parsed: Command>(_ words: String...) throws -> Parsed {
        try #require(try sampleProgram.command(for: words) as? Parsed)
    }

    @Test(arguments: [
        ["--with", "pin", "--yes", "7f3a"],
        ["--with=pin", "-y", "7f3a"],
        ["-w", "pin", "7f3a", "--yes"],
        ["7f3a", "--yes", "--with=pin"],
        ["-y", "--with", "pin", "--", "7f3a"],
    ])
    func `accepts options in every spelling and position`(_ words: [String]) throws {
        let command = try sampleProgram.command(for: ["approve"] + words)
        let approve = try #require(command as? Approve)
        #expect(approve.id == "7f3a")
        #expect(approve.method == .pin)
        #expect(approve.isConfirmed)
        #expect(approve.pinDescriptor == nil)
        #expect(!approve.printsJSON)
    }

    @Test func `a missing optional parameter is nil`() throws {
        let approve: Approve = try parse("approve")
        #expect(approve.id == nil)
        #expect(approve.method == nil)
        #expect(!approve.isConfirmed)
    }

    @Test func `a value has the type of its parameter`() throws {
        let approve: Approve = try parse("approve", "--pin-fd", "3")
        #expect(approve.pinDescriptor == 3)
        let create: CreateTransaction = try parse(
            "transaction",
            "create",
            "--amount",
            "47.11",
            "--currency",
            "EUR"
        )
        #expect(create.amount.minorUnits == 4711)
    }

    @Test func `only a list can be repeated`() throws {
        let create: CreateTransaction = try parse(
            "transaction",
            "create",
            "Ada",
            "--amount=1.00",
            "--field",
            "for=rent",
            "--currency=EUR",
            "--field=by=May",
            "Bob"
        )
        #expect(create.fields == ["for=rent", "by=May"])
        #expect(create.payees == ["Ada", "Bob"])
    }

    @Test func `a word after -- is not an option`() throws {
        let approve: Approve = try parse("approve", "--", "--yes")
        #expect(approve.id == "--yes")
        #expect(!approve.isConfirmed)
    }

    @Test func `a single - is a value`() throws {
        let push: Push = try parse("push", "-")
        #expect(push.payload.text == "-")
        let login: Login = try parse("login", "--sign-file", "-")
        #expect(login.signedFile?.text == "-")
    }

    @Test(arguments: ["", "-5", "a=b", "--yes"])
    func `a value after = can be any text`(_ value: String) throws {
        let login: Login = try parse("login", "--sign=\(value)")
        #expect(login.signed == value)
    }
}
