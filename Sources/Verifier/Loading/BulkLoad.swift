import Cryptography
import TransactionApproval

/// How a file of accounts is loaded.
package struct BulkLoad: Sendable {
    package let name: ImportName
    /// Ends before the first row that is rejected, so that the file can be corrected there.
    package let stopsAtRejection: Bool
    /// The operator's word about every token's counter; see `Verifier.add(_:to:)`.
    package let countersAreCurrent: Bool

    package init(
        name: ImportName,
        stopsAtRejection: Bool = false,
        countersAreCurrent: Bool = false
    ) {
        self.name = name
        self.stopsAtRejection = stopsAtRejection
        self.countersAreCurrent = countersAreCurrent
    }

    /// What one more transaction did.
    package struct Step: Sendable {
        package let record: ImportRecord
        package let rejections: [(line: UInt64, reason: RowRejection)]
        /// How far the file was read for that, in bytes.
        package let bytesLoaded: Int
    }
}

extension Verifier {
    /// Adds the accounts of a file, some hundreds in each transaction, while decisions go on.
    ///
    /// Stopped at any time, it goes on where it stopped when it is asked for again. Rows are read
    /// and sealed while those before them are committed.
    package func load(
        _ source: some AccountSource,
        _ load: BulkLoad,
        by actor: Actor,
        report: (BulkLoad.Step) -> Void
    ) async throws(LoadFailure) -> ImportRecord {
        let (name, key) = try await onVerifier { () async throws(Failure) in
            (load.name, try await fingerprintKey())
        }
        var done =
            try await onVerifier { () async throws(Failure) in
                try await read { ledger throws(StoreFailure) in try ledger.importRecord(name) }
            } ?? ImportRecord(name: name)
        var reading = try Reading(source, key)
        try reading.skip(to: done)
        var pace = Pace()
        var next = try batch(of: pace.rowCount, from: &reading)
        while let batch = next {
            async let committed = commit(batch, of: load, after: done, by: actor)
            // What is wrong with the next rows is said after what became of these.
            let prepared = Result { () throws(LoadFailure) in
                try self.batch(of: pace.rowCount, from: &reading)
            }
            let outcome = try await committed.get()
            done = outcome.record
            pace.note(outcome.duration, for: batch.rows.count)
            report(
                BulkLoad.Step(
                    record: done,
                    rejections: outcome.rejections,
                    bytesLoaded: batch.bytesRead
                )
            )
            if load.stopsAtRejection, !outcome.rejections.isEmpty { break }
            next = try prepared.get()
        }
        return done
    }

    private func onVerifier<Outcome>(
        _ body: () async throws(Failure) -> Outcome
    ) async throws(LoadFailure) -> Outcome {
        do throws(Failure) {
            return try await body()
        } catch {
            throw .verifier(error)
        }
    }
}

// MARK: Reading

/// A source with the chain of all rows that were read from it.
private struct Reading<Source: AccountSource>: ~Copyable {
    let source: Source
    private let chain: HMAC
    private var digest: Digest

    init(_ source: Source, _ key: FingerprintKey) throws(LoadFailure) {
        self.source = source
        do throws(CryptographyFailure) {
            let chain = try key.chain()
            digest = try chain.authenticate(source.heading.span)
            self.chain = chain
        } catch {
            throw LoadFailure(error)
        }
    }

    /// Goes to the next row; nil at the end.
    mutating func advance() throws(LoadFailure) -> (line: UInt64, digest: Digest)? {
        guard let line = try source.advance() else { return nil }
        do throws(CryptographyFailure) {
            digest = try source.withLine { line throws(CryptographyFailure) in
                try chain.authenticate { input throws(CryptographyFailure) in
                    try digest.withBytes { digest throws(CryptographyFailure) in
                        try input.append(digest)
                    }
                    try input.append(line)
                }
            }
        } catch {
            throw LoadFailure(error)
        }
        return (line, digest)
    }

    /// Goes to where an earlier run stopped, if it read the same.
    mutating func skip(to record: ImportRecord) throws(LoadFailure) {
        guard record.line > 0 else { return }
        while let row = try advance() {
            guard row.line == record.line else { continue }
            guard row.digest.array == record.digest else { throw .differentFile }
            return
        }
        throw .differentFile
    }
}

/// Rows that are ready for the store.
private struct Batch: Sendable {
    struct Row: Sendable {
        let line: UInt64
        let digest: Digest
        let content: Result<SealedAccount, RowRejection>
    }

    var rows: [Row] = []
    var bytesRead = 0
}

private struct SealedAccount: Sendable {
    let account: AccountReference
    let person: PersonID?
    let token: SealedToken?
}

extension Verifier {
    /// Nil at the end of the source.
    private func batch<Source>(
        of count: Int,
        from reading: inout Reading<Source>
    ) throws(LoadFailure) -> Batch? {
        var batch = Batch()
        while batch.rows.count < count, let (line, digest) = try reading.advance() {
            let content: Result<SealedAccount, RowRejection>
            switch try reading.source.row() {
            case .failure(let rejection): content = .failure(rejection)
            case .success(let row): content = .success(try seal(row))
            }
            batch.rows.append(Batch.Row(line: line, digest: digest, content: content))
        }
        batch.bytesRead = reading.source.progress.read
        return batch.rows.isEmpty ? nil : batch
    }

    private func seal(_ row: AccountRow) throws(LoadFailure) -> SealedAccount {
        do throws(Failure) {
            return SealedAccount(
                account: row.account,
                person: row.person,
                token: try row.token.map { token throws(Failure) in
                    try seal(token, for: row.account)
                }
            )
        } catch {
            throw .verifier(error)
        }
    }
}

// MARK: Writing

/// How many rows one transaction takes, so that decisions never wait long for it.
private struct Pace {
    private static let longest = Duration.milliseconds(40)
    private static let limits = 100...1000

    private(set) var rowCount = 200

    mutating func note(_ duration: Duration, for rows: Int) {
        let fitting = Double(rows) * (Self.longest / max(duration, .microseconds(1)))
        let next = min(fitting, 2 * Double(rowCount))
        rowCount = min(max(Int(next), Self.limits.lowerBound), Self.limits.upperBound)
    }
}

private struct Committed: Sendable {
    var record: ImportRecord
    var rejections: [(line: UInt64, reason: RowRejection)] = []
    var duration = Duration.zero
}

extension Verifier {
    private func commit(
        _ batch: Batch,
        of load: BulkLoad,
        after done: ImportRecord,
        by actor: Actor
    ) async -> Result<Committed, LoadFailure> {
        let policies = policies
        do throws(Failure) {
            let committed: Committed? = try await change(by: actor) { scene throws(StoreFailure) in
                let start = ContinuousClock.now
                let found = try scene.ledger.importRecord(load.name)
                guard found ?? ImportRecord(name: load.name) == done else { return nil }
                var outcome = Committed(record: done)
                var adding = Adding(load: load, policies: policies)
                for row in batch.rows {
                    let rejection = try adding.add(row, in: &scene, &outcome.record)
                    if let rejection { outcome.rejections.append((row.line, rejection)) }
                    if rejection != nil, load.stopsAtRejection { break }
                    if rejection != nil { outcome.record.rejected += 1 }
                    outcome.record.line = row.line
                    outcome.record.digest = row.digest.array
                }
                try scene.ledger.save(outcome.record)
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

    /// Nil where the row was added.
    mutating func add(
        _ row: Batch.Row,
        in scene: inout ChangeScene,
        _ record: inout ImportRecord
    ) throws(StoreFailure) -> RowRejection? {
        let new: SealedAccount
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
        if try scene.ledger.add(new.account, of: new.person) {
            record.accounts += 1
            scene.events.append(Event(.accountCreated, of: new.account.key, in: new.account))
        } else {
            guard new.token != nil else { return .accountExists }
            guard let found = try scene.ledger.account(new.account) else { throw .damaged }
            let objection = try scene.objection(toTokenOf: found, under: policy)
            if let objection { return .token(objection) }
        }
        if let token = new.token {
            record.tokens += 1
            try scene.add(token, to: new.account, counterIsCurrent: load.countersAreCurrent)
        }
        return nil
    }

    /// Nil where there is no such enterprise.
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
