import Cryptography
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker who knows the activation id, but not its code.
@Suite(.onEveryStore) struct `Wrong activation codes` {
    private let bank: Bank

    init() async throws {
        bank = try await Bank()
    }

    private func guess(at activation: ActivationID) async throws {
        let wrong = try bank.phone().claim(activation, ActivationCode.random())
        #expect(try await bank.verifier.claim(wrong) == .refused(.codeInvalid))
    }

    @Test(arguments: ActivationStep.allCases)
    func `SEC-104: thousands do not stop the right code, before, during or after`(
        _ step: ActivationStep
    ) async throws {
        let issued = try await bank.issue()
        let (phone, attacker) = (try bank.phone(), try bank.phone())
        let right = try phone.claim(issued.id, issued.code)
        let wrong = try attacker.claim(issued.id, ActivationCode.random())
        let verifier = bank.verifier
        let count = Proof.isComplete ? 10_000 : 2000
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    for _ in 0..<count / 10 {
                        let refusal = try await verifier.refusal(of: wrong, step)
                        #expect(refusal == .codeInvalid)
                    }
                }
            }
            group.addTask {
                while !Task.isCancelled, verifier.wrongCodes.counts.open < count * 9 / 10 {
                    guard case .offered = try await verifier.claim(right) else {
                        throw Bank.Unexpected()
                    }
                    try await verifier.reportWrongCodes()
                }
            }
            try await group.waitForAll()
        }
        #expect(verifier.wrongCodes.counts == .init(open: count))
        try await bank.complete(try await bank.offered(right, to: [phone], issued.code))
    }

    @Test func `SEC-104: a store of an earlier release with five of them accepts the right code`()
        async throws
    {
        let issued = try await bank.issue()
        let now = bank.clock.now
        try await bank.database.write { connection throws(StoreFailure) in
            let times = SQLValue.moments(Array(repeating: now, count: 5))
            let update = Statement("UPDATE activations SET failure_times = $1")
            _ = try connection.run(update, [times])
        }
        let phone = try bank.phone()
        let right = try phone.claim(issued.id, issued.code)
        try await bank.complete(try await bank.offered(right, to: [phone], issued.code))
    }

    /// An app that missed a rotation would look like an attacker.
    @Test(arguments: ActivationStep.allCases)
    func `SEC-110: are not counted for an app with a former agreement key`(
        _ step: ActivationStep
    ) async throws {
        let issued = try await bank.issue()
        let former = try Phone(agreeingWith: P256.PrivateKey().publicKey)
        let claims = [
            try former.claim(issued.id, issued.code),
            try former.claim(issued.id, ActivationCode.random()),
            try former.claim(.random(), ActivationCode.random()),
        ]
        let before = try await bank.contents()
        for claim in claims {
            #expect(try await bank.verifier.refusal(of: claim, step) == .codeInvalid)
        }
        #expect(bank.verifier.wrongCodes.counts == .init())
        try await bank.verifier.reportWrongCodes()
        #expect(try await bank.contents() == before)
        // The same codes count with the verifier's key.
        let wrong = try bank.phone().claim(issued.id, ActivationCode.random())
        #expect(try await bank.verifier.refusal(of: wrong, step) == .codeInvalid)
        #expect(bank.verifier.wrongCodes.counts == .init(open: 1))
    }

    @Test(arguments: ActivationStep.allCases)
    func `SEC-112: write nothing until the housekeeping reports them`(_ step: ActivationStep)
        async throws
    {
        let issued = try await bank.issue()
        let wrong = try bank.phone().claim(issued.id, ActivationCode.random())
        let unknown = try bank.phone().claim(.random(), ActivationCode.random())
        let before = try await bank.contents()
        for claim in [wrong, unknown, wrong] {
            #expect(try await bank.verifier.refusal(of: claim, step) == .codeInvalid)
        }
        #expect(try await bank.contents() == before)
        #expect(bank.verifier.wrongCodes.counts == .init(open: 2, unknown: 1))
        try await bank.verifier.reportWrongCodes()
        let events = try await bank.events()
        #expect(events.last == Event(.activationFailed, of: issued.id, in: Bank.account))
        let reported = try await bank.contents()
        #expect(try await bank.verifier.refusal(of: wrong, step) == .codeInvalid)
        try await bank.verifier.reportWrongCodes()
        #expect(try await bank.contents() == reported)
    }

    @Test func `of many activations are reported in one commit`() async throws {
        let database = WatchedDatabase(bank.database)
        let verifier = bank.verifier(over: database)
        for index in 0..<20 {
            let issued = try await bank.issue(for: try await bank.addAccount("\(index)"))
            let wrong = try bank.phone().claim(issued.id, ActivationCode.random())
            #expect(try await verifier.claim(wrong) == .refused(.codeInvalid))
        }
        #expect(!database.statements.contains("write"))
        for _ in 0..<2 { try await verifier.reportWrongCodes() }
        #expect(database.statements.count { $0 == "write" } == 1)
        #expect(try await bank.count(of: .activationFailed) == 20)
    }

    @Test func `are reported once, although two nodes saw them and one restarts`() async throws {
        let issued = try await bank.issue()
        try await guess(at: issued.id)
        let other = bank.verifier(over: bank.database)
        let wrong = try bank.phone().claim(issued.id, ActivationCode.random())
        #expect(try await other.claim(wrong) == .refused(.codeInvalid))
        try await bank.verifier.reportWrongCodes()
        try await other.reportWrongCodes()
        let restarted = bank.verifier(over: bank.database)
        #expect(try await restarted.claim(wrong) == .refused(.codeInvalid))
        try await restarted.reportWrongCodes()
        #expect(try await bank.count(of: .activationFailed) == 1)
    }

    @Test func `are reported if the activation was used before the report`() async throws {
        let issued = try await bank.issue()
        try await guess(at: issued.id)
        let phone = try bank.phone()
        let right = try phone.claim(issued.id, issued.code)
        try await bank.complete(try await bank.offered(right, to: [phone], issued.code))
        let before = try await bank.database.read { connection throws(StoreFailure) in
            try connection.rows(Statement("SELECT * FROM activations"), [])
        }
        try await bank.verifier.reportWrongCodes()
        #expect(try await bank.count(of: .activationFailed) == 1)
        let after = try await bank.database.read { connection throws(StoreFailure) in
            try connection.rows(Statement("SELECT * FROM activations"), [])
        }
        #expect(after == before)
        #expect(try await bank.verifier.claim(right) == .refused(.codeInvalid))
    }

    @Test func `are reported once after an outage with an uncertain commit`() async throws {
        let issued = try await bank.issue()
        let silent = bank.verifier(over: SilentDatabase(store: bank.database))
        let wrong = try bank.phone().claim(issued.id, ActivationCode.random())
        #expect(try await silent.claim(wrong) == .refused(.codeInvalid))
        for _ in 0..<2 {
            await #expect(throws: Verifier.Failure.store(.uncertain)) {
                try await silent.reportWrongCodes()
            }
        }
        #expect(try await bank.count(of: .activationFailed) == 1)
    }

    @Test func `wait in memory for a limited number of activations`() throws {
        let monitor = WrongCodeMonitor()
        let now = bank.clock.now
        for _ in 0..<WrongCodeMonitor.maximumActivations + 10 {
            monitor.note(
                Activation(
                    id: try .random(),
                    account: Bank.account,
                    isWeb: false,
                    issued: now,
                    deadline: now + .seconds(60),
                    state: .closed(.used, at: now)
                )
            )
        }
        #expect(monitor.counts.open == WrongCodeMonitor.maximumActivations + 10)
        #expect(monitor.takeUnreported().count == WrongCodeMonitor.maximumActivations)
        #expect(monitor.takeUnreported().isEmpty)
    }
}

/// A device requests the result of a commit; strangers can sign this request with their own keys.
@Suite(.onEveryStore) struct `The result of a lost commit` {
    private let bank: Bank
    private let database: WatchedDatabase
    private let verifier: Verifier
    private let issued: ActivationID
    private let phone: Phone
    private let claim: SubmittedClaim
    private let commit: ActivationCommit
    private let sent: SentCommit

    init() async throws {
        bank = try await Bank()
        let issued = try await bank.issue()
        phone = try bank.phone()
        claim = try phone.claim(issued.id, issued.code)
        commit = try await bank.offered(claim, to: [phone], issued.code)
        sent = SentCommit(
            activation: issued.id,
            claim: try claim.digest(),
            deviceKey: phone.key.publicKey
        )
        self.issued = issued.id
        database = WatchedDatabase(bank.database)
        verifier = bank.verifier(over: database)
        _ = try await verifier.tokens()
        database.forget()
    }

    @Test func `SEC-112: is unknown for a foreign claim, without a turn of the writer`()
        async throws
    {
        let other = try bank.phone().claim(issued, ActivationCode.random())
        let foreign = [
            SentCommit(
                activation: issued,
                claim: try other.digest(),
                deviceKey: phone.key.publicKey
            ),
            SentCommit(
                activation: try .random(),
                claim: try claim.digest(),
                deviceKey: phone.key.publicKey
            ),
        ]
        let before = try await bank.contents()
        for commit in foreign {
            #expect(try await verifier.end(commit, of: phone.id) == .unknown)
        }
        let read = ["read", "SELECT", "SELECT", "SELECT"]
        #expect(database.statements == read + read)
        #expect(try await bank.contents() == before)
        try await bank.complete(commit)
    }

    @Test func `is final: a cancelled commit creates no device afterwards`() async throws {
        #expect(try await verifier.end(sent, of: phone.id) == .cancelled)
        #expect(database.statements.contains("write"))
        let superseded = Activation.Refusal.superseded
        #expect(try await bank.verifier.commit(commit) == .refused(.activation(superseded)))
        #expect(try await verifier.end(sent, of: phone.id) == .unknown)
    }

    @Test func `SEC-112: is enrolled for the device itself, without a turn of the writer`()
        async throws
    {
        try await bank.complete(commit)
        #expect(try await verifier.end(sent, of: phone.id) == .enrolled)
        #expect(!database.statements.contains("write"))
        let foreign = SentCommit(
            activation: issued,
            claim: try claim.digest(),
            deviceKey: try P256.PrivateKey().publicKey
        )
        #expect(try await verifier.end(foreign, of: phone.id) == .unknown)
    }

    @Test func `is enrolled if the commit arrives between read and write`() async throws {
        let slow = bank.verifier(interleaving: { [bank, commit] in
            try await bank.complete(commit)
        })
        #expect(try await slow.end(sent, of: phone.id) == .enrolled)
    }
}
