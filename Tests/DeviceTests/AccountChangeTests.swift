import AuthenticationHandler
import StoreTesting
import TestSupport
import Testing
import VerifierWorld

@Suite(.onAnyStore) struct `Changes of accounts at a verifier` {
    @Test func `SEC-120: a thief's device and PIN are shown on the person's device`() async throws {
        let world = try await World()
        try await world.activate()
        world.bank.clock.advance(by: .seconds(1))
        #expect(try await world.app().accountChanges().changes == [])
        let thief = try World(at: world.bank)
        try await thief.activate()
        _ = try await thief.app().changePIN(from: .typed(World.pin), to: .typed(World.newPIN))
        let changes = try await world.app().accountChanges().changes
        #expect(changes.map(\.kind) == [.pinChanged, .deviceActivated, .activationIssued])
        #expect(changes.map(\.deviceName) == ["Phone", "Phone", nil])
        #expect(changes.allSatisfy { $0.account.id == "4711" })
    }

    @Test(arguments: [Line.Fault.responseForged, .responseLost])
    func `SEC-42, SEC-120: the network can neither forge a change nor hide one`(
        _ fault: Line.Fault
    ) async throws {
        let world = try await World()
        try await world.activate()
        world.bank.clock.advance(by: .seconds(1))
        try await World(at: world.bank).activate()
        world.line.fail(.accountChanges, by: fault)
        let failure = await error { try await world.app().accountChanges() }
        #expect(failure != nil)
    }

    /// The bank revoked the device of one account, and a thief activates one for the other.
    @Test(arguments: [("4711", "4712"), ("4712", "4711")])
    func `SEC-120: the failure of one account hides no change of another, nor do changes hide it`(
        _ failing: String,
        _ other: String
    ) async throws {
        let world = try await World()
        try await world.activate()
        _ = try await world.bank.addAccount("4712")
        try await world.activate("4712")
        world.bank.clock.advance(by: .seconds(1))
        _ = try await world.bank.issue(for: Bank.account(other))
        try await world.bank.revokeDevice(of: failing)
        let found = try await world.app().accountChanges()
        #expect(found.changes.map(\.account) == [try .named(other)])
        #expect(found.failures.mapValues(\.code) == [try .named(failing): .deviceRevoked])
    }

    @Test func `SEC-120: a code for a linked account is shown once, with its account`()
        async throws
    {
        let world = try await World()
        let linked = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
        world.bank.clock.advance(by: .seconds(1))
        let third = try await world.bank.addLinkedAccount("4713", to: linked)
        world.bank.clock.advance(by: .seconds(1))
        _ = try await world.bank.issue(for: third)
        let changes = try await world.app().accountChanges().changes
        #expect(changes.map(\.kind) == [.activationIssued, .accountLinked])
        #expect(changes.map(\.account) == [try .named("4713"), try .named("4712")])
    }

    /// The device does not know the name of the other account until it fetches its status.
    @Test func `SEC-120: changes after a replacement are those of the account that it left`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        let app = try world.app()
        #expect(try await app.accountChanges().changes.isEmpty)
        #expect(world.line.routes.suffix(1) == [.accountChanges])
        var shown: Set<AccountChange> = []
        for (old, new) in [("4711", "4712"), ("4712", "4713")] {
            world.bank.clock.advance(by: .seconds(1))
            try await world.bank.replace(old, by: new)
            world.bank.clock.advance(by: .seconds(1))
            _ = try await world.bank.issue(for: Bank.account(new))
            // Earlier changes keep their names: nothing is shown twice.
            let changes = try await app.accountChanges().changes
            let later = changes.filter { shown.insert($0).inserted }
            #expect(later.map(\.kind) == [.activationIssued, .accountReplaced])
            #expect(later.map(\.account) == [try .named(new), try .named(new)])
        }
        #expect(try await app.accounts() == [try .named("4713")])
    }

    @Test func `a notification of a change is not one of a transaction`() async throws {
        let hint = Array(#"{"account_id":"4711","account_type":"main"}"#.utf8)
        #expect(AuthenticationHandler.announcesAccountChange(push: hint))
        let world = try await World()
        try await world.activate()
        world.bank.clock.advance(by: .seconds(1))
        let failure = await error { try await world.app().pendingTransaction(push: hint) }
        #expect(failure?.code == .pushMalformed)
        for other in [
            "{}", #"{"account_id":"4711"}"#, "",
            #"{"sa_transaction_id":"t","account_id":"4711","account_type":"main"}"#,
        ] {
            #expect(!AuthenticationHandler.announcesAccountChange(push: Array(other.utf8)))
        }
    }
}
