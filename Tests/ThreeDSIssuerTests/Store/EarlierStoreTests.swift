import Cryptography
import Sealing
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions
import VerifierWorld

@testable import ThreeDSIssuer

@Suite(.onEveryStore) struct `A store of an ACS of version 1` {
    /// The sealed content of a card, as version 1 wrote it.
    private struct Content: Encodable {
        var lastFour = "4242"
        var account = "bank/main/4711"
        var isBlocked = false
        var exemptedCount = 2
    }

    @Test func `keeps its cards, and lists them by account after the next start`() async throws {
        let first = [IssuerSchema.migrations[0]]
        let place = try TestStore(.current, migrations: first)
        let old = try place.open(migrations: first)
        let key = KeyEncryptionKeys.Key(version: 1, bytes: try SecureBytes.random(count: 32))
        let keys = KeyRing(try #require(key.flatMap { KeyEncryptionKeys([$0]) }))
        try await IssuerStore.complete(old, under: keys)
        let digest = SQLValue.bytes(
            try HashAlgorithm.sha256.digest(of: Array("card".utf8).span).array
        )
        let sealed = try RowSeal(keys: keys).sealed(
            Content(),
            for: RowIdentity("card", "card-1", [digest])
        )
        try await old.write { connection throws(StoreFailure) in
            _ = try connection.run(
                Statement("INSERT INTO cards (reference, digest, sealed) VALUES ($1, $2, $3)"),
                [.text("card-1"), digest, sealed]
            )
        }
        await old.close()

        let database = try place.open(migrations: IssuerSchema.migrations)
        let store = try await IssuerStore(database, under: keys)
        let account = try #require(CardAccount("bank/main/4711"))
        func cards() async throws -> [StoredCard] {
            try await database.read { connection throws(StoreFailure) in
                try store.cards(connection)
                    .cards(of: account, after: RowPage<StoredCard>.start, limit: 10).elements
            }
        }
        #expect(try await cards() == [])
        for _ in 1...2 {
            try await store.completeRows()
            let card = try #require(try await cards().first)
            #expect(card.card.reference.text == "card-1" && card.exempted.count == 2)
        }
        await database.close()
    }
}

@Suite(.onEveryStore) struct `A store of an ACS of version 2` {
    /// Its rows contain their AReses.
    @Test func `has the response to a repeated AReq, also after a change`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let request = SampleRequest(.twoTwo, .browser, .payment)
        let response = try #require(try await world.send(request))
        let members = try JSONValue(reading: response, limits: .message)
        let id = try #require(members["acsTransID"]?.text)
        try await moveResponse(String(decoding: response, as: UTF8.self), intoRow: id, in: world)
        #expect(try await world.send(request) == response)

        // Without a CReq, the challenge ends.
        world.advance(seconds: 60)
        try await world.service.readClocks()
        let changed = try #require(try await world.service.authentication(id))
        #expect(changed.challenge?.result != nil)
        #expect(try await world.send(request) == response)
    }

    private func moveResponse(
        _ response: String,
        intoRow id: String,
        in world: IssuerWorld
    ) async throws {
        let store = world.store
        try await world.database.write { connection throws(StoreFailure) in
            let table = store.authentications(connection)
            guard var authentication = try table.row(at: .id(id))?.authentication else {
                throw .misuse
            }
            authentication.response = Array(response.utf8)
            try table.replace(authentication)
            let removed = try connection.run(
                Statement("DELETE FROM responses WHERE authentication = $1"),
                [.text(id)]
            )
            guard removed == 1 else { throw .misuse }
        }
    }
}
