import Storage
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// How many rows a part of the background work reads at a time.
    static let batch = 100

    /// Gets the ends of all awaited transactions, and waits up to `seconds` if there is none yet.
    ///
    /// Returns whether there were transactions, and the verifier responded.
    func followTransactions(waiting seconds: Int) async throws(StoreFailure) -> Bool {
        var batches: [[Authentication]] = []
        var cursor: String? = ""
        while let start = cursor {
            let batch = try await awaitingChallenges(after: start)
            batches.append(batch.authentications)
            cursor = batch.end
        }
        return await withTaskGroup { group in
            for batch in batches {
                for found in batch where found.challenge?.isEnding == true {
                    group.addTask {
                        await withdraw(found)
                        return false
                    }
                }
                for found in batch where found.challenge?.isUnordered == true {
                    group.addTask {
                        await order(found)
                        return false
                    }
                }
                group.addTask { await follow(batch, waiting: seconds) }
            }
            return await group.reduce(false) { $0 || $1 }
        }
    }

    private func awaitingChallenges(
        after id: String
    ) async throws(StoreFailure) -> AuthenticationTable.Batch {
        let batch = try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection)
                .awaiting(after: id, limit: VerifierClient.maximumAwaited)
        }
        for failure in batch.failures { observer.report(.storeFailed(failure)) }
        return batch
    }

    /// Follows the transactions of one call.
    private func follow(_ batch: [Authentication], waiting seconds: Int) async -> Bool {
        let ids = Dictionary(
            batch.compactMap { found in found.challenge?.transaction.map { ($0.id, found.id) } }
        ) { $1 }
        guard !ids.isEmpty else { return false }
        let ends: TransactionEnds
        do throws(VerifierFailure) {
            ends = try await verifier.ends(of: Array(ids.keys), waiting: seconds)
        } catch {
            observer.report(.verifierFailed(error))
            return false
        }
        for end in ends.ended {
            if let id = ids[end.id] {
                await reporting { () throws(StoreFailure) in try await note(end, of: id) }
            }
        }
        for transaction in ends.unapprovable {
            if let id = ids[transaction] {
                await reporting { () throws(StoreFailure) in try await end(id, as: .locked) }
            }
        }
        // The verifier no longer has it, for example after a restore.
        for transaction in ends.unknown {
            if let id = ids[transaction] {
                await reporting { () throws(StoreFailure) in try await end(id, as: .expired) }
            }
        }
        return true
    }

    /// A challenge whose row cannot be changed now does not stop the others.
    private func reporting(_ body: () async throws(StoreFailure) -> Void) async {
        do throws(StoreFailure) {
            try await body()
        } catch {
            observer.report(.storeFailed(error))
        }
    }

    private func note(_ end: TransactionEnd, of id: String) async throws(StoreFailure) {
        let valueKey = store.secrets.newestValueKey
        _ = try await step(at: .id(id)) { step throws(StoreFailure) in
            switch end.state {
            case .approved(let way):
                // Another way was not asked for, so it does not authenticate the purchase.
                guard step.authentication.facts.ways.contains(way) else {
                    _ = step.apply(.verdict(.rejected))
                    return
                }
                if step.apply(.verdict(.approved)).contains(.sendResult(.approved)) {
                    step.authentication.basis = .approval(end.id, by: way)
                    step.authentication.valueKey = valueKey
                }
            case .rejected: _ = step.apply(.verdict(.rejected))
            case .suspected: _ = step.apply(.verdict(.suspected))
            case .expired: _ = step.apply(.verdict(.expired))
            case .withdrawn:
                let isOurs =
                    if case .withdrawing = step.challenge.progress.state { true } else { false }
                _ = step.apply(isOurs ? .withdrawn : .verdict(.expired))
            }
        }
        if case .approved = end.state { try await forgetExemptions(after: id) }
    }

    /// No device can approve, so the transaction is withdrawn, unless the person was faster.
    private func end(_ id: String, as verdict: Challenge.Verdict) async throws(StoreFailure) {
        guard let found = try await authentication(id), let challenge = found.challenge,
            let transaction = challenge.transaction
        else { return }
        if let end = await withdraw(transaction.id, of: challenge.account) {
            return try await note(end, of: id)
        }
        _ = try await step(at: .id(id)) { step throws(StoreFailure) in
            _ = step.apply(.verdict(verdict))
        }
    }

    /// The end that the transaction had before; nil if it is withdrawn, or if that is not known.
    private func withdraw(
        _ transaction: TransactionID,
        of account: CardAccount
    ) async -> TransactionEnd? {
        do throws(VerifierFailure) {
            return try await verifier.withdraw(transaction, of: account.key)
        } catch {
            observer.report(.verifierFailed(error))
            return nil
        }
    }

    func authentication(_ id: String) async throws(StoreFailure) -> Authentication? {
        try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection).authentication(id)
        }
    }

    /// The low value rule counts from the last approval.
    private func forgetExemptions(after id: String) async throws(StoreFailure) {
        guard let reference = try await authentication(id)?.card else { return }
        try await store.database.write { [store] connection throws(StoreFailure) in
            let cards = store.cards(connection)
            guard let stored = try cards.card(reference), stored.exempted != .none else { return }
            try cards.replace(StoredCard(stored.card))
        }
    }
}

// MARK: Withdrawals

extension IssuerService {
    /// Takes back the transaction of a challenge that ends without a decision of the person.
    private func withdraw(_ found: Authentication) async {
        guard let challenge = found.challenge else { return }
        do throws(VerifierFailure) {
            let account = challenge.account.key
            // If its response was lost, this finds it; otherwise it is created and taken back.
            let transaction =
                if let known = challenge.transaction {
                    known
                } else {
                    try await verifier.request(challenge.document, of: account, key: found.id)
                }
            let end = try await verifier.withdraw(transaction.id, of: account)
            await noteWithdrawal(of: found.id, transaction, end)
        } catch {
            observer.report(.verifierFailed(error))
            // A verifier that refuses both calls has no such transaction.
            guard case .refused = error else { return }
            await noteWithdrawal(of: found.id, nil, nil)
        }
    }

    private func noteWithdrawal(
        of id: String,
        _ transaction: RequestedTransaction?,
        _ end: TransactionEnd?
    ) async {
        await reporting { () throws(StoreFailure) in
            _ = try await step(at: .id(id)) { step throws(StoreFailure) in
                if step.challenge.transaction == nil {
                    step.change { $0.transaction = transaction }
                }
                if end == nil { _ = step.apply(.withdrawn) }
            }
            if let end { try await note(end, of: id) }
        }
    }
}

// MARK: Decoupled authentication

extension IssuerService {
    /// Creates the transaction of a challenge that no message of a shopper begins.
    private func order(_ found: Authentication) async {
        await reporting { () throws(StoreFailure) in
            let place = ChallengeStep.Place.id(found.id)
            let order = try await step(at: place) { step throws(StoreFailure) in
                step.order(after: .notMade)
            }
            guard let order = order ?? nil else { return }
            let attempt = await attempt(order)
            _ = try await step(at: place) { step throws(StoreFailure) in
                step.order(after: attempt)
            }
        }
    }
}

extension StoredChallenge {
    /// Whether no transaction was created yet, and no message of a shopper will create it.
    fileprivate var isUnordered: Bool {
        progress.flow == .decoupled && progress.state == .asked && transaction == nil
    }

    /// Whether it ends without a decision of the person.
    fileprivate var isEnding: Bool {
        if case .withdrawing = progress.state { true } else { false }
    }
}
