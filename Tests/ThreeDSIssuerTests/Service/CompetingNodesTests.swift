import JOSE
import Storage
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import VerifierWorld

@testable import ThreeDSIssuer

/// Two services over connections of their own to one PostgreSQL.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct `Two nodes at the same time` {
    private let first: IssuerWorld
    private let second: IssuerWorld

    init() async throws {
        first = try await StoreKind.$current.withValue(.postgreSQL) { try await IssuerWorld() }
        second = try await IssuerWorld(joining: first)
        try await first.addCard()
    }

    private func newChallenge(
        _ number: Int,
        _ cipher: JWE.Encryption = .a128GCM
    ) async throws -> ModelSDK {
        let id = "\"4317fdc3-ad24-5443-8000-0000000\(10_000 + number)\""
        return try await ModelSDK(in: first, .twoTwo, cipher, ["dsTransID": id])
    }

    /// How often a result of the challenge was decided.
    private func decisions(about challenge: String) async throws -> Int {
        let store = first.store
        let page = try await first.database.read { connection throws(StoreFailure) in
            try store.records(connection).records(after: .start, limit: 1000)
        }
        return page.records.count { record in
            record.record.subject == .authentication(challenge) && record.record.step == .decided
        }
    }

    private func result(of challenge: String) -> JSONValue? {
        let results = first.directory.results.filter { $0["acsTransID"]?.text == challenge }
        #expect(results.count < 2)
        return results.first
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `SEC-80: have the same bytes for the same request`(_ cipher: JWE.Encryption) async throws {
        let sdk = try await newChallenge(0, cipher)
        for round in 0..<12 {
            if round == 11 {
                first.verifier.approve(sdk.acsTransID)
                try await first.work()
            }
            let body = try sdk.sealed()
            async let one = first.service.response(toApp: body)
            async let other = second.service.response(toApp: body)
            let responses = try await [one, other]
            #expect(responses[0] == responses[1], "\(round)")
            let message = try await sdk.response(to: body)
            #expect(message["messageType"]?.text == "CRes", "\(round)")
            #expect(message["transStatus"]?.text == (round == 11 ? "Y" : nil))
        }
    }

    @Test func `SEC-76: have the same reason if no device can approve any more`() async throws {
        for round in 0..<4 {
            let sdk = try await newChallenge(round)
            _ = try await sdk.request()
            let id = sdk.acsTransID
            first.verifier.lock(id)
            // The other node finds a transaction that was withdrawn.
            if round > 0 { first.verifier.loseNextResponse(to: "/withdrawal") }
            _ = try await first.service.followTransactions(waiting: 0)
            try await first.service.withdrawTransactions()
            for _ in 0..<2 { try await second.work() }
            #expect(first.verifier.isWithdrawn(id))
            #expect(try #require(result(of: id))["transStatusReason"]?.text == "19", "\(round)")
            #expect(try await decisions(about: id) == 1)
        }
    }

    @Test func `SEC-76: have one result if the person decides while the time ends`() async throws {
        var statuses: [String?] = []
        for round in 0..<12 {
            let sdk = try await newChallenge(round)
            _ = try await sdk.request()
            first.advance(seconds: 600)
            let (id, verifier) = (sdk.acsTransID, first.verifier)
            if round == 0 { verifier.approve(id) }
            try await withThrowingDiscardingTaskGroup { group in
                if round < 11 { group.addTask { verifier.approve(id) } }
                for node in [first, second] {
                    group.addTask { _ = try await node.service.followTransactions(waiting: 0) }
                    group.addTask { try await node.service.readClocks() }
                    group.addTask { try await node.service.orderTransactions() }
                    group.addTask { try await node.service.withdrawTransactions() }
                }
            }
            // The person is too late.
            if round == 11 {
                try await first.service.withdrawTransactions()
                verifier.approve(id)
            }
            async let one: Void = first.work()
            async let other: Void = second.work()
            _ = try await (one, other)
            try await first.work()
            let status = try #require(result(of: id))["transStatus"]?.text
            #expect(try await decisions(about: id) == 1, "\(round)")
            #expect((status == "Y") == !verifier.isWithdrawn(id), "\(round)")
            statuses.append(status)
        }
        #expect(statuses.first == "Y" && statuses.last == "N")
    }
}
