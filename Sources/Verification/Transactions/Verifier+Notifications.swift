import Storage
package import TransactionApproval

package enum NotificationResult: Equatable, Sendable {
    case notified
    case refused(NotificationRefusal)
    /// The limit of all notifications of this node is reached.
    case rateLimited(until: Timestamp)
    case ended
    case unknown
}

extension Verifier {
    /// Notifies the person's devices once more of a pending transaction of one of these sources.
    package func notify(
        of id: TransactionID,
        of account: AccountReference,
        from sources: Set<RequestSource> = Set(RequestSource.allCases),
        by author: ChangeAuthor
    ) async throws(Failure) -> NotificationResult {
        let permits = pushRateLimits.mapValues { $0.permit() }
        return try await change(by: author) { context throws(StoreFailure) in
            let ledger = context.ledger
            guard
                let record = try ledger.transaction(id),
                record.account == account, sources.contains(record.source)
            else { return .unknown }
            guard record.checkPending(at: context.now).isAccepted else { return .ended }
            guard let person = try ledger.account(account) else { throw .damaged }
            if try ledger.mutedUntil(person).map({ context.now < $0 }) ?? false {
                return .refused(.muted)
            }
            let devices = try ledger.devices(of: account)
            let wanted = try ledger.count(wantingPushesOf: devices)
            guard wanted > 0 else { return .refused(.noDevice) }
            let further = FurtherNotifications(
                created: record.created,
                moments: try ledger.notificationMoments(of: id)
            )
            if case .refused(let refusal) = further.check(at: context.now) {
                return .refused(refusal)
            }
            if !person.isTest, let permit = permits[record.source],
                case .refused(let end) = permit.take(wanted, at: context.now)
            {
                return .rateLimited(until: end)
            }
            let number = further.moments.count + 1
            context.events.append(.transactionNotified(id, in: account, number: number))
            return .notified
        }
    }
}
