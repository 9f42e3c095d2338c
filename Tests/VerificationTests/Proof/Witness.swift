import Cryptography
import OneTimePassword
import Sealing
import Storage
import StoreProgram
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// Compares the results that a killed program reported with its store.
struct Witness {
    let premises: Premises
    private let phones: [DeviceID: Phone]
    /// All reported results, and those since the last check.
    private var reported: [ReportedDecision] = []
    private var newDecisions: ArraySlice<ReportedDecision> = []
    /// The last reported step of each new phone since the last check.
    private var steps: [DeviceID: ReportedStep] = [:]
    /// The typed codes that were reported as right since the last check.
    private var typedCodes: [ReportedStep] = []
    private var head = AuditHead.empty
    private var decided: [Credential: Int] = [:]

    private struct Credential: Hashable {
        let device: DeviceID
        let kind: CredentialKind
    }

    /// A bank with many phones, for which programs decide.
    init(_ premises: Premises) async throws {
        self.premises = premises
        let bank = try await premises.begin(policy: Deciding.policy)
        let phones = try Deciding.accounts.map { _ in
            try Phone(agreeingWith: premises.agreementKey.publicKey)
        }
        try await forEach(of: Array(zip(Deciding.accounts, phones))) { account, phone in
            _ = try await bank.verifier.addAccount(account, by: Bank.core)
            try await bank.activate(account, on: [phone])
        }
        try premises.keep(phones)
        self.phones = Dictionary(uniqueKeysWithValues: phones.map { ($0.id, $0) })
        await bank.database.close()
    }

    /// Records reported results; none may be a failure.
    mutating func record(_ lines: [Substring]) {
        let decisions = lines.compactMap { ReportedDecision(line: $0) }
        let steps = lines.compactMap { ReportedStep(line: $0) }
        let others = lines.filter {
            ReportedDecision(line: $0) == nil && ReportedStep(line: $0) == nil
        }
        #expect(!lines.isEmpty && others == [])
        self.steps = Dictionary(steps.map { ($0.device, $0) }) { $1 }
        typedCodes = steps.filter { $0.kind == .typed }
        reported += decisions
        newDecisions = reported.suffix(decisions.count)
    }

    /// Checks the new results, as the next program finds the store.
    mutating func examineNewDecisions() async throws {
        let bank = try await premises.open()
        try await examineTrail(of: bank)
        try await examineCounters(of: bank)
        try await examineRecords(of: Array(newDecisions), in: bank)
        try await repeatAttempts(Array(newDecisions), in: bank)
        try await repeatCodes(in: bank)
        try await useCountersAgain(in: bank)
        try await examineNewPhones(of: bank)
        try await typeCodesAgain(in: bank)
        await bank.database.close()
    }

    /// Checks all results again.
    func examineAll() async throws {
        let bank = try await premises.open()
        try await examineRecords(of: reported, in: bank)
        try await repeatAttempts(reported, in: bank)
        await bank.database.close()
        #expect(Set(reported.map(\.transaction)).count == reported.count)
        let report = try await premises.audit(againstJournal: true)
        #expect(report.isClean, "\(report.findings)")
        #expect(report.checked > reported.count)
    }
}

extension Witness {
    /// The trail continues, with one record for each reported decision, and at most one more per
    /// caller.
    private mutating func examineTrail(of bank: Bank) async throws {
        let start = head.sequence
        let records = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: start, limit: .max)
        }
        var ended: [String: Int] = [:]
        for record in records {
            try #require(try head.precedes(record))
            head = AuditHead(record)
            let kinds: [Event.Kind: CredentialKind] = [
                .transactionApproved: .user, .transactionRejected: .device,
            ]
            guard let kind = kinds[record.event.kind] else { continue }
            ended[record.event.subject, default: 0] += 1
            let device = try #require(phones.keys.first { record.actor == .device($0) })
            decided[Credential(device: device, kind: kind), default: 0] += 1
        }
        #expect(ended.values.allSatisfy { $0 == 1 })
        #expect(newDecisions.allSatisfy { ended[$0.transaction.text] == 1 })
        #expect((newDecisions.count...newDecisions.count + Deciding.callers).contains(ended.count))
    }

    /// Each decision used one counter, and no counter was used twice.
    private func examineCounters(of bank: Bank) async throws {
        for (credential, count) in decided {
            let phone = try #require(phones[credential.device])
            let state = try await bank.credential(credential.kind, of: phone)
            #expect(state.credential.counter.value == UInt64(count))
        }
        let taken = reported.map { "\($0.device) \($0.kind) \($0.counter.value)" }
        #expect(Set(taken).count == reported.count)
    }

    /// The transactions ended as reported.
    private func examineRecords(
        of decisions: [ReportedDecision],
        in bank: Bank
    ) async throws {
        let ends = try await bank.read { ledger throws(StoreFailure) in
            try decisions.map { reported throws(StoreFailure) in
                try ledger.transaction(reported.transaction)?.state
            }
        }
        for (reported, end) in zip(decisions, ends) {
            guard case .closed(let outcome, _)? = end else {
                Issue.record("\(reported) is lost")
                continue
            }
            #expect(outcome == reported.outcome)
        }
    }

    /// A repeated attempt gets the reported verdict.
    private func repeatAttempts(_ decisions: [ReportedDecision], in bank: Bank) async throws {
        try await forEach(of: decisions) { reported in
            let result = try await result(repeating: reported, in: bank) { $0 }
            #expect(result == .accepted(nil))
        }
    }

    /// The same code in another attempt is refused.
    private func repeatCodes(in bank: Bank) async throws {
        try await forEach(of: Array(newDecisions)) { reported in
            let refusal = AttemptResult.refused(.alreadyDecided(reported.outcome))
            let result = try await result(repeating: reported, in: bank) { try $0.withNewID() }
            #expect(result == refusal)
        }
    }

    /// Sends the reported decision again.
    private func result(
        repeating reported: ReportedDecision,
        in bank: Bank,
        as change: (Attempt) throws -> Attempt
    ) async throws -> AttemptResult {
        let record = try await bank.read { ledger throws(StoreFailure) in
            try ledger.transaction(reported.transaction)
        }
        let hash = try TransactionHash(ofCanonicalBytes: try #require(record).canonicalBytes)
        let phone = try #require(phones[reported.device])
        let attempt = try await phone.attempt(
            reported.kind,
            over: .decision(hash, reported.decision, nil),
            at: reported.counter,
            id: reported.attempt,
            in: bank
        )
        return try await phone.send(
            reported.decision,
            on: reported.transaction,
            hash,
            try change(attempt),
            to: bank.verifier
        )
    }

    private func useCountersAgain(in bank: Bank) async throws {
        let approvals = newDecisions.filter { $0.decision == .approve }
        let last = Dictionary(approvals.map { ($0.device, $0) }) { $1 }
        try await forEach(of: Array(last.values)) { try await useCounterAgain($0, in: bank) }
    }

    /// A right code for another transaction is not computed at a used counter.
    private func useCounterAgain(_ reported: ReportedDecision, in bank: Bank) async throws {
        let phone = try #require(phones[reported.device])
        let account = try await bank.credential(of: phone).device.account
        let payment = try await bank.pay(from: account)
        let result = try await phone.decide(on: payment, at: reported.counter, in: bank)
        guard case .refused(.counterOutOfStep(let nextCounter)) = result else {
            Issue.record("\(reported) was used again: \(result)")
            return
        }
        #expect(reported.counter.value < nextCounter.value)
        #expect(try await bank.verifier.withdraw(payment.id, of: account, by: Bank.core) == .done)
    }
}

extension Witness {
    /// Each new phone is at its reported step, or at the next one.
    ///
    /// A wrong PIN stays charged until a right code, and only the new seed is valid.
    private func examineNewPhones(of bank: Bank) async throws {
        for (device, reported) in steps {
            let state = try await bank.read { ledger throws(StoreFailure) in
                try ledger.credentialState(.user, on: device)
            }
            let found = PhoneProgress(try #require(state, "\(reported) is lost"))
            #expect(PhoneProgress.after(reported.kind).contains(found), "\(reported)")
        }
    }

    private func typeCodesAgain(in bank: Bank) async throws {
        for reported in typedCodes {
            let device = reported.device
            let account = try await bank.read { ledger throws(StoreFailure) in
                try ledger.device(device)?.account
            }
            let judged = try await bank.verifier.verify(
                typed: reported.code,
                over: nil,
                .of([reported.code], on: device, of: #require(account), to: bank.verifier),
                by: Bank.core
            )
            // Codes further back than the window count as wrong.
            let refusals: [AttemptResult] = [.refused(.codeUsed), .wrong(left: 4)]
            #expect(refusals.contains(judged.result), "\(reported)")
        }
    }
}

/// The progress of a new phone's user credential.
private struct PhoneProgress: Equatable {
    let failures: Int
    let counter: UInt64
    let generation: UInt64

    init(_ failures: Int, _ counter: UInt64, _ generation: UInt64) {
        self.failures = failures
        self.counter = counter
        self.generation = generation
    }

    init(_ state: CredentialState) {
        self.init(
            state.failures.consecutiveFailures,
            state.credential.counter.value,
            state.credential.generation.value
        )
    }

    /// After the reported step, and after one more that may have been committed but not reported.
    static func after(_ step: ReportedStep.Kind) -> [PhoneProgress] {
        let all = [
            PhoneProgress(0, 0, 0), PhoneProgress(1, 0, 0), PhoneProgress(2, 0, 0),
            PhoneProgress(0, 1, 0),
            PhoneProgress(0, 2, 1),
        ]
        let index = ReportedStep.Kind.allCases.firstIndex(of: step) ?? 0
        return Array(all[index...].prefix(2))
    }
}

/// Runs `body` for all elements, as many at a time as a store's commit group holds.
private func forEach<Element: Sendable>(
    of all: [Element],
    _ body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    let lanes = 64
    try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
            group.addTask {
                for index in stride(from: lane, to: all.count, by: lanes) {
                    try await body(all[index])
                }
            }
        }
        try await group.waitForAll()
    }
}

extension ReportedDecision {
    fileprivate var outcome: TransactionRecord.Outcome {
        switch decision {
        case .approve: .approved(with: .userPIN, by: device)
        case .reject(let reason): .rejected(reason, by: device)
        }
    }
}
