import AuthenticationHandler
import Foundation
import PrivateFiles
import StoreTesting
import Testing
import TransactionApproval
import VerifierWorld

@Suite(.onAnyStore) struct `Deciding the next transaction at a verifier` {
    private let world: World

    init() async throws {
        world = try await World(policy: #"{"returnAddresses": ["https://bank.example"]}"#)
        try await world.activate()
    }

    /// Shows the transaction and makes this decision.
    private func fetch(_ decision: Decision) async throws -> (ApprovalResult?, shown: [String]) {
        let shown = Shown()
        let result = try await world.app().decideNextTransaction { transaction in
            shown.add(transaction.id)
            switch decision {
            case .pin(let digits):
                // Without a PIN the test would see a rejection: `try?`.
                guard let pin = try? PIN.typed(digits) else { return .reject(.unspecified) }
                return .approve(with: .pin(pin))
            case .cancel(let reason): return .reject(reason)
            case .later: return .undecided
            }
        }
        return (result, shown.ids)
    }

    private enum Decision {
        case pin(String)
        case cancel(RejectionReason)
        case later
    }

    @Test func `returns nil if nothing is pending`() async throws {
        let (result, shown) = try await fetch(.pin(World.pin))
        #expect(result == nil)
        #expect(shown == [])
    }

    @Test func `prompts the person once and returns the redirect`() async throws {
        let url = "https://bank.example/done?id=1"
        let id = try await world.bank.request(returnURL: url).id
        let (result, shown) = try await fetch(.pin(World.pin))
        #expect(shown == [id])
        #expect(result?.transactionID == id)
        #expect(result?.outcome == .approved(.userPIN))
        #expect(result?.redirect == .url(url))
        #expect(try await world.bank.outcome(of: id) == "approved by userPIN")
        #expect(try await fetch(.pin(World.pin)).0 == nil)
    }

    @Test func `rejects if the person rejects`() async throws {
        let id = try await world.bank.request().id
        let (result, shown) = try await fetch(.cancel(.notMe))
        #expect(shown == [id])
        #expect(result?.outcome == .rejected(.notMe))
        #expect(result?.redirect == ApprovalResult.Redirect.notRequested)
        #expect(try await world.bank.outcome(of: id) == "rejected: notMe")
    }

    @Test func `keeps an undecided transaction pending`() async throws {
        let id = try await world.bank.request(reference: "R-1").id
        let (result, shown) = try await fetch(.later)
        #expect(shown == [id])
        #expect(result?.outcome == .undecided)
        #expect(try await world.bank.outcome(of: id) == "pending")
        #expect(try await fetch(.pin(World.pin)).shown == [id])
        #expect(try await world.bank.outcome(of: id) == "approved by userPIN")
    }

    @Test func `ignores a repeated reference, also after a restart`() async throws {
        let first = try await world.bank.request(reference: "R-1").id
        #expect(try await fetch(.pin(World.pin)).0?.transactionID == first)
        let second = try await world.bank.request(reference: "R-1").id
        let (result, shown) = try await fetch(.pin(World.pin))
        #expect(result == nil)
        #expect(shown == [])
        #expect(try await world.bank.outcome(of: second) == "pending")
        let third = try await world.bank.request(reference: "R-2").id
        #expect(try await fetch(.pin(World.pin)).0?.transactionID == third)
    }

    @Test func `shows the repeat of a request whose decision never arrived`() async throws {
        let first = try await world.bank.request(reference: "R-1").id
        world.line.fail(.decision, by: .requestHeldUp)
        #expect(await error { try await fetch(.pin(World.pin)) }?.code == .responseMissing)
        world.line.mend()
        let second = try await world.bank.request(reference: "R-1").id
        // The first one can still be decided, also by the request that is on its way.
        #expect(try await fetch(.later).shown == [first])
        try await world.bank.withdraw(first)
        #expect(try await fetch(.pin(World.pin)).shown == [second])
        #expect(try await world.bank.outcome(of: second) == "approved by userPIN")
        #expect(await world.line.deliverHeldUp().allSatisfy { $0 >= 400 })
        #expect(try await world.bank.outcome(of: first) == "withdrawn")
    }

    @Test func `does not show the repeat of a request whose response was lost`() async throws {
        let first = try await world.bank.request(reference: "R-1").id
        world.line.fail(.decision, by: .responseLost)
        #expect(await error { try await fetch(.pin(World.pin)) }?.code == .responseMissing)
        world.line.mend()
        #expect(try await world.bank.outcome(of: first) == "approved by userPIN")
        try await world.bank.request(reference: "R-1")
        #expect(try await fetch(.pin(World.pin)).shown == [])
    }

    @Test func `shows the same transaction again after a wrong PIN`() async throws {
        let id = try await world.bank.request(reference: "R-1").id
        let failure = await error { try await fetch(.pin(World.wrongPIN)) }
        #expect(failure?.attemptsLeft == 4)
        #expect(try await fetch(.pin(World.pin)).shown == [id])
        #expect(try await world.bank.outcome(of: id) == "approved by userPIN")
    }

    @Test func `allows only addresses in the bank's current list`()
        async throws
    {
        let url = "https://other.example/"
        try await world.bank.setPolicy(#"{"returnAddresses": ["https://other.example"]}"#)
        try await world.bank.request(returnURL: url)
        let (result, _) = try await fetch(.pin(World.pin))
        #expect(result?.redirect == .url(url))
        try await world.bank.request(returnURL: url)
        try await world.bank.setPolicy(#"{"returnAddresses": ["https://bank.example"]}"#)
        _ = try await world.app().profile()
        let (refused, _) = try await fetch(.pin(World.pin))
        #expect(refused?.isApproved == true)
        #expect(refused?.redirect == .notAllowed)
    }
}

private final class Shown: Sendable {
    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var transactions: [String] = []

    var ids: [String] { lock.withLock { transactions } }

    func add(_ id: String) { lock.withLock { transactions.append(id) } }
}
