import Cryptography
import TransactionApproval

extension BulkLoad {
    /// The number of rows per transaction, chosen so that decisions never wait long.
    struct Pace {
        private static let longest = Duration.milliseconds(40)
        private static let limits = 100...1000

        private(set) var rowCount = 200

        mutating func note(_ duration: Duration, for rows: Int) {
            let fitting = Double(rows) * (Self.longest / max(duration, .microseconds(1)))
            let next = min(fitting, 2 * Double(rowCount))
            rowCount = min(max(Int(next), Self.limits.lowerBound), Self.limits.upperBound)
        }
    }

    struct Committed: Sendable {
        var record: ImportRecord
        var rejections: [RejectedRow] = []
        var duration = Duration.zero
    }
}

extension Verifier {
    func commit(
        _ batch: BulkLoad.Batch,
        of load: BulkLoad,
        after done: ImportRecord,
        by actor: Actor
    ) async -> Result<BulkLoad.Committed, LoadFailure> {
        let policies = policies
        do throws(Failure) {
            let committed: BulkLoad.Committed? = try await change(by: actor) {
                scene throws(StoreFailure) in
                let start = ContinuousClock.now
                let found = try scene.ledger.importRecord(load.name)
                guard found ?? ImportRecord(name: load.name) == done else { return nil }
                var outcome = BulkLoad.Committed(record: done)
                var adding = Adding(load: load, policies: policies)
                for row in batch.rows {
                    if let rejection = try adding.add(row, in: &scene, &outcome.record) {
                        let rejected = RejectedRow(line: row.line, reason: rejection.text)
                        outcome.rejections.append(rejected)
                        if load.stopsAtRejection { break }
                        outcome.record.rejected += 1
                    }
                    outcome.record.line = row.line
                    outcome.record.digest = row.digest.array
                }
                try scene.ledger.save(outcome.record)
                if !load.stopsAtRejection {
                    try scene.ledger.add(outcome.rejections, of: outcome.record)
                }
                outcome.duration = start.duration(to: .now)
                return outcome
            }
            return committed.map { .success($0) } ?? .failure(.inUse)
        } catch {
            return .failure(.verifier(error))
        }
    }
}

/// Adds rows within one transaction, in which a policy does not change.
private struct Adding {
    let load: BulkLoad
    let policies: PolicyShelf
    private var known: [EnterpriseID: EnterprisePolicy?] = [:]

    init(load: BulkLoad, policies: PolicyShelf) {
        self.load = load
        self.policies = policies
    }

    /// Adds the row, or returns why it is skipped.
    mutating func add(
        _ row: BulkLoad.Batch.Row,
        in scene: inout ChangeScene,
        _ record: inout ImportRecord
    ) throws(StoreFailure) -> RowRejection? {
        let new: BulkLoad.SealedAccount
        switch row.content {
        case .failure(let rejection): return rejection
        case .success(let account): new = account
        }
        guard let policy = try policy(of: new.account.enterprise, scene.ledger) else {
            return .unknownEnterprise
        }
        if let token = new.token {
            let objection = try scene.objection(to: token, under: policy)
            if let objection { return .token(objection) }
        }
        if try scene.add(new.account, of: new.person) {
            record.accounts += 1
        } else {
            guard new.token != nil else { return .accountExists }
            guard let found = try scene.ledger.account(new.account) else { throw .damaged }
            guard new.person == nil || new.person == found.person else { return .otherPerson }
            let objection = try scene.objection(toTokenOf: found, under: policy)
            if let objection { return .token(objection) }
        }
        if let token = new.token {
            record.tokens += 1
            try scene.add(token, to: new.account, counterIsCurrent: load.countersAreCurrent)
        }
        return nil
    }

    /// Nil if the enterprise does not exist.
    private mutating func policy(
        of enterprise: EnterpriseID,
        _ ledger: Ledger
    ) throws(StoreFailure) -> EnterprisePolicy? {
        if let policy = known[enterprise] { return policy }
        let isThere = try ledger.policyVersion(of: enterprise) != nil
        let policy = isThere ? try policies.policy(of: enterprise, ledger) : nil
        known[enterprise] = .some(policy)
        return policy
    }
}

extension ChangeScene {
    /// Adds an account and links it to its person's accounts; returns false if it exists.
    fileprivate mutating func add(
        _ account: AccountReference,
        of person: PersonID?
    ) throws(StoreFailure) -> Bool {
        let other = try person.flatMap { person throws(StoreFailure) in
            try ledger.firstAccount(of: person, in: account.enterprise)
        }
        guard try ledger.add(account, of: person) else { return false }
        events.append(Event(.accountCreated, of: account.key, in: account))
        if let other { events.append(Event(.accountsLinked, of: other, in: account)) }
        return true
    }
}
