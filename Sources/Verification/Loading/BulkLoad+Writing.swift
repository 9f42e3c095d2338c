import Cryptography
import Storage
import TransactionApproval

extension BulkLoad {
    /// The number of rows per transaction, chosen so that decisions never wait long.
    struct Pace {
        private static let maximum = Duration.milliseconds(40)
        private static let limits = 100...1000

        private(set) var rowCount = 200

        mutating func note(_ duration: Duration, for rows: Int) {
            let fitting = Double(rows) * (Self.maximum / max(duration, .microseconds(1)))
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
        by author: ChangeAuthor
    ) async -> Result<BulkLoad.Committed, LoadFailure> {
        do throws(Failure) {
            let committed: BulkLoad.Committed? = try await change(by: author) {
                [policies] context throws(StoreFailure) in
                let start = ContinuousClock.now
                let found = try context.ledger.importRecord(load.name)
                guard found ?? ImportRecord(name: load.name) == done else { return nil }
                var outcome = BulkLoad.Committed(record: done)
                var adding = Adding(load: load, policies: policies)
                for row in batch.rows {
                    let result = try adding.add(row, in: &context, &outcome.record)
                    if case .refused(let refusal) = result {
                        let rejected = RejectedRow(line: row.line, reason: refusal.text)
                        outcome.rejections.append(rejected)
                        if load.stopsAtRejection { break }
                        outcome.record.rejected += 1
                    }
                    outcome.record.line = row.line
                    outcome.record.digest = row.digest.array
                }
                try context.ledger.save(outcome.record)
                if !load.stopsAtRejection {
                    try context.ledger.add(outcome.rejections, of: outcome.record)
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
    let policies: PolicyCache
    var known: [EnterpriseID: EnterprisePolicy?] = [:]

    /// Adds the row, or returns why it is skipped.
    mutating func add(
        _ row: BulkLoad.Batch.Row,
        in context: inout ChangeContext,
        _ record: inout ImportRecord
    ) throws(StoreFailure) -> RuleResult<RowRefusal> {
        let new: BulkLoad.SealedAccount
        switch row.content {
        case .failure(let refusal): return .refused(refusal)
        case .success(let account): new = account
        }
        guard let policy = try policy(of: new.account.enterprise, context.ledger) else {
            return .refused(.unknownEnterprise)
        }
        if let token = new.token {
            if case .refused(let refusal) = try context.check(token, under: policy) {
                return .refused(.token(refusal))
            }
        }
        if try context.add(new.account, of: new.person) {
            record.accounts += 1
        } else {
            guard new.token != nil else { return .refused(.accountExists) }
            guard let found = try context.ledger.account(new.account) else { throw .damaged }
            guard new.person == nil || new.person == found.person else {
                return .refused(.otherPerson)
            }
            if case .refused(let refusal) = try context.checkTokenRoom(in: found, under: policy) {
                return .refused(.token(refusal))
            }
        }
        if let token = new.token {
            record.tokens += 1
            try context.add(token, to: new.account, counterIsCurrent: load.countersAreCurrent)
        }
        return .accepted
    }

    /// Nil if the enterprise does not exist.
    private mutating func policy(
        of enterprise: EnterpriseID,
        _ ledger: Ledger
    ) throws(StoreFailure) -> EnterprisePolicy? {
        if let policy = known[enterprise] { return policy }
        let isThere = try ledger.hasEnterprise(enterprise)
        let policy = isThere ? try policies.policy(of: enterprise, ledger) : nil
        known[enterprise] = .some(policy)
        return policy
    }
}

extension ChangeContext {
    /// Adds an account and links it to its person's accounts; returns false if it exists.
    fileprivate mutating func add(
        _ account: AccountReference,
        of person: PersonID?
    ) throws(StoreFailure) -> Bool {
        let other = try person.flatMap { person throws(StoreFailure) in
            try ledger.firstAccount(of: person, in: account.enterprise)
        }
        guard try ledger.add(account, of: person) else { return false }
        events.append(.accountCreated(account))
        if let other { events.append(Event(.accountsLinked, of: other, in: account)) }
        return true
    }
}
