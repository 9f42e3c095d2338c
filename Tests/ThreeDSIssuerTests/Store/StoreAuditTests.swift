import JOSE
import PrivateFiles
import Storage
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite(.onEveryStore, .timeLimit(.minutes(5))) struct `An audit of a store` {
    private func world() async throws -> IssuerWorld {
        let world = try await IssuerWorld()
        try await world.register()
        return world
    }

    private func expect(
        _ names: [String],
        in world: IssuerWorld,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let audit = try await world.store.audit(at: world.service.clock())
        #expect(audit.differing.names == names, sourceLocation: location)
        #expect(audit.findingCount == names.count, sourceLocation: location)
    }

    /// Changes the database as an attacker who can write to it.
    private func attack(_ world: IssuerWorld, _ statements: SQL...) async throws {
        let statements = statements.map { Statement($0) }
        try await world.database.write { connection throws(StoreFailure) in
            for statement in statements { try connection.run(statement, []) }
        }
    }

    @Test func `SEC-99: finds a removed authentication, and an earlier content of one`()
        async throws
    {
        let world = try await world()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        try await attack(world, "CREATE TABLE saved AS SELECT * FROM authentications")
        try await expect([], in: world)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        let state = try await world.service.authentication(sdk.acsTransID)?.challenge?.result
        #expect(state != nil)
        try await expect([], in: world)

        let name = "authentication \(sdk.acsTransID)"
        try await attack(
            world,
            "DELETE FROM authentications",
            "INSERT INTO authentications SELECT * FROM saved"
        )
        try await expect([name], in: world)
        try await attack(world, "DELETE FROM authentications")
        try await expect([name], in: world)
    }

    @Test func `finds a used authentication value that was made unused`() async throws {
        let world = try await world()
        let id = try await ModelSDK(in: world).acsTransID
        let store = world.store
        let now = world.service.clock()
        try await attack(world, "CREATE TABLE saved AS SELECT * FROM authentications")
        // As the check of a value writes it.
        try await world.database.write { connection throws(StoreFailure) in
            let table = store.authentications(connection)
            guard var used = try table.authentication(id) else { throw .misuse }
            used.isValueUsed = true
            try table.replace(used)
            try store.records(connection).add(
                IssuerRecord(
                    time: now,
                    subject: .authentication(used.id),
                    step: .valueUsed,
                    details: []
                )
            )
        }
        try await expect([], in: world)
        try await attack(
            world,
            "DELETE FROM authentications",
            "INSERT INTO authentications SELECT * FROM saved"
        )
        try await expect(["authentication \(id)"], in: world)
    }

    @Test func `SEC-99: finds a challenge that was put back and decided again`() async throws {
        let world = try await world()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        try await attack(world, "CREATE TABLE saved AS SELECT * FROM authentications")
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        try await putBack(world)
        try await world.work()
        #expect(world.directory.results.count == 2)
        try await expectRepeated(sdk, in: world)
    }

    @Test func `SEC-99: finds a used value that was put back and used again`() async throws {
        let world = try await world()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        let result = try #require(world.directory.results.first)
        let text = try #require(result["authenticationValue"]?.text)
        let check = ValueCheck(
            value: try #require(AuthenticationValue(text)),
            dsTransID: try #require(result["dsTransID"]?.text),
            card: .number(SampleRequest.number),
            amount: try SampleWorld.euro(4711)
        )
        func verdict() async throws -> AuthenticationValueVerdict? {
            guard case .checked(let result) = try await world.service.outcome(of: check) else {
                return nil
            }
            return result.verdict
        }
        try await attack(world, "CREATE TABLE saved AS SELECT * FROM authentications")
        #expect(try await verdict() == .valid)
        // A repeated check, and a repeated round of the work, add no finding.
        #expect(try await verdict() == .alreadyUsed)
        try await world.work()
        try await expect([], in: world)
        try await putBack(world)
        #expect(try await verdict() == .valid)
        try await expectRepeated(sdk, in: world)
    }

    private func putBack(_ world: IssuerWorld) async throws {
        try await attack(
            world,
            "DELETE FROM authentications",
            "INSERT INTO authentications SELECT * FROM saved"
        )
    }

    /// The row has the state of its records again.
    private func expectRepeated(
        _ sdk: ModelSDK,
        in world: IssuerWorld,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let audit = try await world.store.audit(at: world.service.clock())
        let names = ["authentication \(sdk.acsTransID)"]
        #expect(audit.repeated.names == names, sourceLocation: location)
        #expect(audit.findingCount == 1, sourceLocation: location)
    }

    @Test func `finds a removed ARes`() async throws {
        let world = try await world()
        let id = try await ModelSDK(in: world).acsTransID
        try await attack(world, "DELETE FROM responses")
        try await expect(["authentication \(id)"], in: world)
    }

    @Test func `finds a removed card that was put back`() async throws {
        let world = try await world()
        try await attack(world, "CREATE TABLE saved AS SELECT * FROM cards")
        let card = try #require(try await world.cards().first)
        #expect(try await world.service.remove(card.reference))
        try await expect([], in: world)
        try await attack(world, "INSERT INTO cards SELECT * FROM saved")
        try await expect(["card \(card.reference)"], in: world)
    }

    /// After a restore, the rows of the lost store have valid seals and no records.
    @Test func `finds a card that has no record`() async throws {
        let world = try await world()
        let card = try #require(try await world.cards().first)
        try await attack(world, "DELETE FROM records")
        let audit = try await world.store.audit(at: world.service.clock())
        #expect(audit.unrecorded.names == ["card \(card.reference)"])
        #expect(audit.findingCount == 1)
    }

    @Test func `finds a removed key for values, and reuses no number`() async throws {
        let world = try await world()
        let now = world.service.clock()
        #expect(try await world.store.addValueKey(at: now) == 2)
        try await expect([], in: world)
        try await attack(
            world,
            "CREATE TABLE saved AS SELECT * FROM secrets",
            "DELETE FROM secrets WHERE name = 'values.2'"
        )
        try await expect(["secret values.2"], in: world)
        await #expect(throws: StoreFailure.forged(row: "secret values.2")) {
            try await world.store.addValueKey(at: now)
        }
        // A broken record would hide the later ones.
        try await attack(world, "UPDATE records SET content = '{}' WHERE number = 1")
        await #expect(throws: StoreFailure.forged(row: "record 1")) {
            try await world.store.addValueKey(at: now)
        }
        try await attack(world, "DELETE FROM records WHERE number = 1")
        await #expect(throws: StoreFailure.forged(row: "record 1")) {
            try await world.store.addValueKey(at: now)
        }
    }

    @Test func `finds an earlier key for values that was put back`() async throws {
        let world = try await world()
        let now = world.service.clock()
        #expect(try await world.store.addValueKey(at: now) == 2)
        try await attack(
            world,
            "CREATE TABLE saved AS SELECT * FROM secrets",
            "DELETE FROM secrets WHERE name = 'values.2'"
        )
        // Without its record, the key can be added again, and is another one.
        try await attack(world, "DELETE FROM records WHERE number = 2")
        #expect(try await world.store.addValueKey(at: now) == 2)
        try await expect([], in: world)
        try await attack(
            world,
            "DELETE FROM secrets",
            "INSERT INTO secrets SELECT * FROM saved"
        )
        try await expect(["secret values.2"], in: world)
    }

    @Test func `names a missing key for values that is not the newest one`() async throws {
        let world = try await world()
        for _ in 2...3 { _ = try await world.store.addValueKey(at: world.service.clock()) }
        try await attack(world, "DELETE FROM secrets WHERE name = 'values.2'")
        await #expect(throws: StoreFailure.forged(row: "secret values.2")) {
            try await IssuerWorld(joining: world)
        }
    }

    /// The empty text is before all others.
    @Test func `finds rows with an empty key, and records before the first one`() async throws {
        let world = try await world()
        try await attack(
            world,
            """
            INSERT INTO cards (reference, digest, account, sealed)
            SELECT '', sealed, account, sealed FROM cards
            """,
            """
            INSERT INTO checks (key, number, made, sealed)
            SELECT '', 9, 1, sealed FROM cards WHERE reference <> ''
            """,
            """
            INSERT INTO notifications (authentication, made, due, sealed)
            SELECT '', 1, NULL, sealed FROM cards WHERE reference <> ''
            """
        )
        let audit = try await world.store.audit(at: world.service.clock())
        #expect(audit.forged.names == ["card ", "check ", "notification "])
        try await attack(
            world,
            "INSERT INTO records (number, content, mac) SELECT -5, content, mac FROM records"
        )
        let broken = try await world.store.audit(at: world.service.clock()).brokenRecord
        #expect(broken == 1)
        // The next record would follow it.
        try await attack(world, "DELETE FROM records WHERE number > 0")
        await #expect(throws: StoreFailure.damaged) { try await world.register(named: 1) }
    }

    @Test func `misses no authentication that is no longer kept`() async throws {
        let world = try await world()
        _ = try await ModelSDK(in: world)
        world.advance(seconds: 98 * 86_400)
        try await world.work()
        try await world.service.removeOld(at: world.service.clock())
        try await expect([], in: world)
        let left = try await world.database.read { connection throws(StoreFailure) in
            try connection.rows(Statement("SELECT \([Column.sealed]) FROM responses"), []).count
        }
        #expect(left == 0)
    }

    @Test func `has no findings while the ACS works`() async throws {
        let world = try await world()
        let isOver = LockedValue(false)
        async let audits: Int = {
            var count = 0
            while !isOver.withLock({ $0 }), !Task.isCancelled {
                try await expect([], in: world)
                count += 1
            }
            return count
        }()
        for number in 1...12 {
            let added = try await world.register(named: number)
            let id = "\"4317fdc3-ad24-5443-8000-0000000000\(10 + number)\""
            let sdk = try await ModelSDK(
                in: world,
                .twoTwo,
                .a128GCM,
                ["dsTransID": id]
            )
            _ = try await sdk.request()
            #expect(try await world.service.setBlocked(true, of: added) != nil)
            world.verifier.approve(sdk.acsTransID)
            try await world.work()
            #expect(try await world.service.remove(added))
        }
        isOver.withLock { $0 = true }
        #expect(try await audits > 0)
    }
}

extension IssuerWorld {
    fileprivate func cards() async throws -> [Card] {
        try await service.cards(of: nil, after: nil, limit: 10).elements.map(\.card)
    }

    /// Adds the card of the sample requests with its record.
    fileprivate func register() async throws {
        _ = try await register(SampleRequest.number)
    }

    fileprivate func register(named number: Int) async throws -> CardReference {
        let digits = "40000123456\(10_000 + number)"
        return try await register(digits)
    }

    private func register(_ digits: String) async throws -> CardReference {
        let number = try #require(try CardNumber(Array(digits.utf8).span))
        let account = try #require(CardAccount("bank/main/4711"))
        let new = try NewCard(number, account, for: store)
        let (store, now) = (store, service.clock())
        try await database.write { connection throws(StoreFailure) in
            _ = try store.register(connection, by: .command, at: now).add(new)
        }
        return new.card.reference
    }
}
