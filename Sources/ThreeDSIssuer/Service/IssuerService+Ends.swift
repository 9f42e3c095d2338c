import Storage
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// How many rows a part of the background work reads at a time.
    static let batch = 100

    /// Gets the ends of all awaited transactions, and waits up to `seconds` if there is none yet.
    ///
    /// Returns whether the next call can follow at once: a call waited without a result, or all of its
    /// ends are noted. Otherwise the next call would return the same end at once. So it follows a change
    /// of a row, or a pause.
    func followTransactions(waiting seconds: Int) async throws(StoreFailure) -> Bool {
        var calls: [[TransactionID: String]] = []
        var last: String? = ""
        while let start = last {
            let awaited = try await store.database.read {
                [store] connection throws(StoreFailure) in
                try store.authentications(connection)
                    .awaited(after: start, limit: VerifierClient.maximumAwaited)
            }
            calls.append(awaited.transactions)
            last = awaited.end
        }
        return await withTaskGroup { group in
            for transactions in calls {
                group.addTask { await follow(transactions, waiting: seconds) }
            }
            return await group.reduce(false) { $0 || $1 }
        }
    }

    /// Creates the transactions that no message of a shopper creates.
    func orderTransactions() async throws(StoreFailure) {
        try await makeCalls(dueAt: .ofOrders(at: clock()), after: .endOfWithdrawals)
    }

    /// Takes back the transactions of challenges that ended without a decision of the person.
    ///
    /// They have less time than orders, so they do not wait for these.
    func withdrawTransactions() async throws(StoreFailure) {
        try await makeCalls(dueAt: .earliest, after: .start)
    }

    /// Calls the verifier for all challenges that are due, until the task is cancelled.
    private func makeCalls(
        dueAt times: DueTimes,
        after place: DueCursor
    ) async throws(StoreFailure) {
        var cursor: DueCursor? = place
        while let start = cursor, !Task.isCancelled {
            let batch = try await store.database.read { [store] connection throws(StoreFailure) in
                try store.authentications(connection)
                    .callsDue(at: times, after: start, limit: Self.concurrentCalls)
            }
            cursor = batch.end
            for failure in batch.failures { observer.report(.storeFailed(failure)) }
            await withDiscardingTaskGroup { group in
                for found in batch.elements {
                    group.addTask { await untilItsEnd { await call(for: found) } }
                }
            }
        }
    }

    private func call(for found: Authentication) async {
        if found.challenge?.isEnding == true {
            await withdraw(found)
        } else {
            await order(found)
        }
    }

    /// After an outage, the verifier does not get all calls at once.
    static let concurrentCalls = 16

    /// Follows the transactions of one call, each with the identifier of its authentication.
    private func follow(_ ids: [TransactionID: String], waiting seconds: Int) async -> Bool {
        guard !ids.isEmpty else { return false }
        let ends: TransactionEnds
        do throws(VerifierFailure) {
            ends = try await verifier.ends(of: Array(ids.keys), waiting: seconds)
        } catch {
            // At its end, the process stops the call.
            if !Task.isCancelled { observer.report(.verifierFailed(error, authentication: nil)) }
            return false
        }
        if ends.hasUnreadable {
            observer.report(.verifierFailed(.unreadable, authentication: nil))
        }
        var settled = 0
        for end in ends.ended {
            if let id = ids[end.id] {
                await reporting { () throws(StoreFailure) in
                    if try await note(end, of: id) { settled += 1 }
                }
            }
        }
        for transaction in ends.unapprovable {
            if let id = ids[transaction] {
                let isLocked = !ends.withoutDevice.contains(transaction)
                await reporting { () throws(StoreFailure) in
                    try await end(transaction, of: id, as: isLocked ? .locked : .noDevice)
                }
            }
        }
        // The verifier no longer has it, for example after a restore.
        for transaction in ends.unknown {
            if let id = ids[transaction] {
                await reporting { () throws(StoreFailure) in
                    try await end(transaction, of: id, as: .expired)
                }
            }
        }
        // The next call returns each other one again.
        return settled == ends.ended.count && ends.unapprovable.isEmpty && ends.unknown.isEmpty
            && !ends.hasUnreadable
    }

    /// A challenge whose row cannot be changed now does not stop the others.
    func reporting(_ body: () async throws(StoreFailure) -> Void) async {
        do throws(StoreFailure) {
            try await body()
        } catch {
            observer.report(.storeFailed(error))
        }
    }

    /// Returns whether the challenge no longer awaits the transaction.
    @discardableResult
    private func note(_ end: TransactionEnd, of id: String) async throws(StoreFailure) -> Bool {
        let valueKey = store.secrets.newestValueKey
        let isAwaited = try await step(at: .id(id)) { step throws(StoreFailure) in
            try step.note(end, valueKey: valueKey)
            return step.challenge.awaited == end.id
        }
        return isAwaited != true
    }

    /// No device can approve, so the transaction is withdrawn, unless the person was faster.
    ///
    /// The reason is committed before the call. So if the response is lost, the withdrawn
    /// transaction is not taken for an expired one.
    private func end(
        _ transaction: TransactionID,
        of id: String,
        as verdict: Challenge.Verdict
    ) async throws(StoreFailure) {
        _ = try await step(at: .id(id)) { step throws(StoreFailure) in
            guard step.challenge.transaction?.id == transaction else { return }
            _ = step.apply(.unapprovable(verdict))
        }
    }

    func authentication(_ id: String) async throws(StoreFailure) -> Authentication? {
        try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection).authentication(id)
        }
    }
}

extension ChallengeStep {
    fileprivate mutating func note(
        _ end: TransactionEnd,
        valueKey: UInt8
    ) throws(StoreFailure) {
        // Another node noted it, and the challenge can have another transaction since.
        guard challenge.transaction?.id == end.id else { return }
        if challenge.isLeftToWithdraw { change { $0.isLeftToWithdraw = false } }
        switch end.state {
        case .approved(let way):
            // Another way was not asked for, so it does not authenticate the purchase.
            guard authentication.facts.ways.contains(way) else {
                _ = apply(.verdict(.rejected))
                return
            }
            guard try hasActiveCard() else {
                _ = apply(.verdict(.cardBlocked))
                return
            }
            if apply(.verdict(.approved)).contains(.sendResult(.approved)) {
                authentication.basis = .approval(end.id, by: way)
                authentication.valueKey = valueKey
                isStronglyAuthenticated = way != .consent
            }
        case .rejected: _ = apply(.verdict(.rejected))
        case .suspected: _ = apply(.verdict(.suspected))
        case .expired: noteUnanswered()
        case .withdrawn:
            let isOurs = if case .withdrawing = challenge.progress.state { true } else { false }
            _ = apply(isOurs ? .withdrawn : .verdict(.expired))
        }
    }
}

// MARK: Withdrawals

extension IssuerService {
    private enum Withdrawal {
        /// There is no such transaction any more; nil if there never was one.
        case done(RequestedTransaction?)
        /// The person was faster, or the transaction had expired.
        case ended(TransactionEnd, RequestedTransaction)
        case failed
    }

    /// Takes back the transaction of a challenge that ends without a decision of the person.
    private func withdraw(_ found: Authentication) async {
        if let end = found.challenge?.endOfWithdrawals, clock() > end {
            return await reporting { () throws(StoreFailure) in
                _ = try await step(at: .id(found.id)) { step throws(StoreFailure) in
                    step.change { $0.isLeftToWithdraw = false }
                }
            }
        }
        let withdrawal = await withdrawal(of: found)
        let transaction: RequestedTransaction?
        var end: TransactionEnd?
        switch withdrawal {
        case .failed: return
        case .done(let known): transaction = known
        case .ended(let known, let ended): (end, transaction) = (known, ended)
        }
        let isWithdrawn = end == nil
        await reporting { () throws(StoreFailure) in
            _ = try await step(at: .id(found.id)) { step throws(StoreFailure) in
                step.change {
                    $0.transaction = $0.transaction ?? transaction
                    $0.isLeftToWithdraw = false
                }
                if isWithdrawn { _ = step.apply(.withdrawn) }
            }
            if let end { try await note(end, of: found.id) }
        }
    }

    private func withdrawal(of found: Authentication) async -> Withdrawal {
        guard let challenge = found.challenge else { return .failed }
        let account = challenge.account
        var transaction = challenge.transaction
        // No call that could create it reached the verifier.
        if transaction == nil, challenge.openOrders == 0 { return .done(nil) }
        do throws(VerifierFailure) {
            let known =
                if let transaction {
                    transaction
                } else {
                    // If the response of its creation was lost, this finds it. A call that never
                    // arrived creates it now.
                    try await verifier.request(challenge.order(of: found.id))
                }
            transaction = known
            guard let end = try await verifier.withdraw(known.id, of: account) else {
                return .done(known)
            }
            return .ended(end, known)
        } catch {
            observer.report(.verifierFailed(error, authentication: found.id))
            // Any other refusal, such as one of the token, does not concern the transaction.
            let isMissing = transaction == nil ? error.verdict != nil : error.isNotFound
            return isMissing ? .done(transaction) : .failed
        }
    }
}
