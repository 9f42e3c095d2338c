import OneTimePassword
import StoreProgram
import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let stores = StoreKind.installed

/// A request that is sent many times at once has one effect (2.14).
///
/// Each proof fails if its guard is removed.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `Races` {
    @Test(arguments: [RaceScenario.oneAttempt, .oneCode], stores)
    func `concurrent requests for one approval accept it once`(
        _ scenario: RaceScenario,
        _ kind: StoreKind
    ) async throws {
        try await run(scenario, on: kind, few: 10, all: 1_000)
    }

    @Test(arguments: RaceScenario.all.dropFirst(2), stores)
    func `concurrent requests of all other kinds have one effect`(
        _ scenario: RaceScenario,
        _ kind: StoreKind
    ) async throws {
        try await run(scenario, on: kind, few: 2, all: 100)
    }

    @Test(arguments: [RaceScenario.oneCode, .wrongCodes], stores)
    func `SEC-04, SEC-08: concurrent requests at two nodes with late writes have one effect`(
        _ scenario: RaceScenario,
        _ kind: StoreKind
    ) async throws {
        let bank = try await Bank(on: kind)
        let stores = [bank.database, try bank.openAgain()]
        let nodes = stores.map { bank.verifier(over: $0.withDelayedWrites()) }
        for round in Rounds(3, all: 50, of: "\(scenario.testDescription) late, \(kind)") {
            let outcome = try await scenario.run(in: bank, at: nodes, round)
            try #require(scenario.outcomes.contains(outcome), "round \(round): \(outcome)")
        }
    }

    /// Every other round runs at two nodes, as 2.14 requires.
    private func run(_ scenario: RaceScenario, on kind: StoreKind, few: Int, all: Int) async throws
    {
        let bank = try await Bank(on: kind)
        let nodes = [bank.verifier, bank.verifier(over: try bank.openAgain())]
        for round in Rounds(few, all: all, of: "\(scenario.testDescription), \(kind)") {
            let outcome = try await scenario.run(
                in: bank,
                at: round % 2 == 0 ? nodes : [bank.verifier],
                round
            )
            try #require(scenario.outcomes.contains(outcome), "round \(round): \(outcome)")
        }
    }

    @Test(arguments: stores)
    func `with stale reads, concurrent requests have more than one effect`(
        _ kind: StoreKind
    ) async throws {
        let bank = try await Bank(on: kind)
        for (number, scenario) in RaceScenario.all.enumerated() {
            let store = RememberingDatabase(store: bank.database, remembering: scenario.guarding)
            // A node recognizes a stale row that it has seen, so each call has its own.
            let nodes = (0..<64).map { _ in bank.verifier(over: store) }
            let outcome = try await scenario.run(in: bank, at: nodes, number)
            #expect(!scenario.outcomes.contains(outcome), "\(scenario.testDescription): \(outcome)")
        }
    }

    @Test(arguments: stores)
    func `SEC-09: of 64 concurrent wrong codes five are computed`(_ kind: StoreKind) async throws {
        let bank = try await Bank(on: kind)
        let store = CountingDatabase(store: bank.database)
        _ = try await RaceScenario.wrongCodes.run(in: bank, at: [bank.verifier(over: store)], 1)
        #expect(store.macCount == 5)
    }

    @Test(arguments: stores)
    func `SEC-09: with stale reads, all of 64 concurrent wrong codes are computed`(
        _ kind: StoreKind
    ) async throws {
        let bank = try await Bank(on: kind)
        let store = CountingDatabase(
            store: RememberingDatabase(store: bank.database, remembering: ["credentials"])
        )
        // A node recognizes a stale row that it has seen, so each call has its own.
        let nodes = (0..<64).map { _ in bank.verifier(over: store) }
        _ = try await RaceScenario.wrongCodes.run(in: bank, at: nodes, 1)
        // A job that is tried again computes its code again.
        #expect(store.macCount >= 64)
    }

    @Test(arguments: stores)
    func `SEC-54: a device that is revoked at one node is refused at the other`(
        _ kind: StoreKind
    ) async throws {
        let bank = try await Bank(on: kind)
        let phone = try await bank.activate()
        let other = bank.verifier(over: try bank.openAgain())
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        _ = try await bank.verifier.revoke(phone.id, of: Bank.account, by: Bank.core)
        #expect(try await other.checkPIN(attempt) == .refused(.deviceRevoked))
    }
}

/// The same with two processes, which share only the store.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `Races of two processes` {
    @Test(arguments: [true, false], stores)
    func `concurrent requests for one approval accept it once`(
        isOneAttempt: Bool,
        _ kind: StoreKind
    ) async throws {
        let programs = try await CompetingPrograms(on: kind)
        let calls = isOneAttempt ? "one attempt" : "one code"
        for round in Rounds(10, all: 1_000, of: "\(calls) over two processes, \(kind)") {
            let outcome = try await programs.approve(isOneAttempt: isOneAttempt)
            let expected = CompetingPrograms.outcome(
                isOneAttempt: isOneAttempt,
                counter: UInt64(round)
            )
            try #require(outcome == expected, "round \(round)")
        }
    }

    @Test(arguments: [true, false], stores)
    func `with stale reads, concurrent requests have more than one effect`(
        isOneAttempt: Bool,
        _ kind: StoreKind
    ) async throws {
        let scenario = isOneAttempt ? RaceScenario.oneAttempt : .oneCode
        let programs = try await CompetingPrograms(on: kind, remembering: scenario.guarding)
        let outcome = try await programs.approve(isOneAttempt: isOneAttempt)
        #expect(outcome != CompetingPrograms.outcome(isOneAttempt: isOneAttempt, counter: 1))
    }
}
