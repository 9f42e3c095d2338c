import BankIntegration
import TransactionApproval
import Verification

extension BankRoute {
    /// Proxies close silent connections after about a minute.
    static let maximumWait: UInt64 = 60
    private static let ofTransaction = ofAccount + "/transactions/{transaction}"

    static let transactions = [
        BankRoute(
            .get,
            ofAccount + "/readiness",
            .read,
            servesCards: true,
            query: [.source],
            BankRequest.showReadiness
        ),
        BankRoute(
            .post,
            ofEnterprise + "/transactions/ended",
            .read,
            servesCards: true,
            taking: BankRequest.awaitEnds
        ),
        BankRoute(
            .get,
            ofAccount + "/transactions",
            .read,
            query: [.before, .number("limit", 1...50)],
            BankRequest.listTransactions
        ),
        BankRoute(
            calling: ofAccount + "/transactions",
            .transactions,
            servesCards: true,
            BankRequest.requestTransaction
        ),
        BankRoute(
            .get,
            ofTransaction,
            .read,
            servesCards: true,
            query: [.number("wait", 0...maximumWait)],
            BankRequest.showTransaction
        ),
        BankRoute(.get, ofTransaction + "/evidence", .read, BankRequest.exportEvidence),
        BankRoute(
            .post,
            ofTransaction + "/notifications",
            .transactions,
            servesCards: true,
            BankRequest.notifyAgain
        ),
        BankRoute(
            .put,
            ofTransaction + "/withdrawal",
            .transactions,
            servesCards: true,
            BankRequest.withdrawTransaction
        ),
    ]
}

extension BankRequest {
    fileprivate func listTransactions() async throws(Verifier.Failure) -> BankResponse {
        let page = try await verifier.transactions(
            of: account,
            before: query.text("before").flatMap { TransactionCursor($0) },
            limit: query.number("limit", default: 20)
        )
        guard let page else { return .notFound(.account) }
        return .ok(
            TransactionList(
                transactions: page.transactions.map { TransactionResource($0) },
                next: page.next?.text
            )
        )
    }

    fileprivate func requestTransaction(
        _ content: TransactionContent,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        guard sources.contains(content.source) else { return .refused(.own(.scopeMissing)) }
        let request = TransactionRequest(
            account: account,
            content: content.shown,
            reference: content.reference,
            returnURL: content.returnURL,
            authentication: content.authentication,
            source: content.source,
            lifetime: content.lifetime
        )
        switch try await verifier.request(request, call: call, by: author) {
        case .created(let transaction, let number):
            let overview = TransactionOverview(new: transaction, from: content.source)
            return created(overview, number)
        case .repeated(let id):
            let number = try await verifier.readNumber(for: id, of: account, by: author)
            guard let overview = try await verifier.overview(of: id, of: account) else {
                return .repeated(.notFound(.transaction))
            }
            return .repeated(created(overview, number))
        case .keyReused: return .refused(.own(.idempotencyKeyReused))
        case .refused(let refusals):
            return .refused(.content(.policyForbids, refusals.map { $0.violation(by: content) }))
        case .unknownAccount: return .notFound(.account)
        case .testAccountForbidden: return .refused(.own(.testAccountForbidden))
        case .accountReplaced: return .refused(.own(.accountReplaced))
        case .noActiveDevice: return .refused(.own(.noActiveDevice))
        case .tooManyPending(let end):
            return .refused(.tooManyPending(retryAfterSeconds: seconds(until: end)))
        case .rateLimited(let end):
            return .refused(.catalogued(.rateLimited(retryAfterSeconds: seconds(until: end))))
        }
    }

    fileprivate func showReadiness() async throws(Verifier.Failure) -> BankResponse {
        let source = query.text("source").flatMap { RequestSource(rawValue: $0) } ?? .bank
        guard sources.contains(source) else { return .refused(.own(.scopeMissing)) }
        guard let readiness = try await verifier.readiness(of: account, for: source) else {
            return .notFound(.account)
        }
        return .ok(
            ReadinessResource(
                readiness,
                retryAfterSeconds: readiness.nextRequest.map { seconds(until: $0) }
            )
        )
    }

    fileprivate func awaitEnds(
        of list: AwaitedTransactions
    ) async throws(Verifier.Failure) -> BankResponse {
        let ends = try await verifier.ends(
            among: list.ids,
            of: enterprise,
            from: sources,
            within: list.wait
        )
        guard try await isStillAllowed else { return .refused(.own(.unauthorized)) }
        return .ok(TransactionEndsResource(ends))
    }

    private func seconds(until end: Timestamp) -> UInt32 {
        UInt32(clamping: end.elapsed(since: verifier.now).components.seconds + 1)
    }

    fileprivate func showTransaction() async throws(Verifier.Failure) -> BankResponse {
        let wait = Duration.seconds(query.number("wait", default: 0))
        guard
            let overview = try await verifier.overview(
                of: transaction,
                of: account,
                from: sources,
                within: wait
            )
        else { return .notFound(.transaction) }
        if wait > .zero {
            guard try await isStillAllowed else { return .refused(.own(.unauthorized)) }
        }
        return .ok(TransactionResource(overview))
    }

    fileprivate func exportEvidence() async throws(Verifier.Failure) -> BankResponse {
        switch try await verifier.evidence(of: transaction, in: account) {
        case .evidence(let file): .ok(file)
        case .unknownTransaction: .notFound(.transaction)
        case .undecided: .refused(.own(.transactionUndecided))
        case .uncovered: .refused(.own(.evidenceUnavailable))
        }
    }

    fileprivate func withdrawTransaction() async throws(Verifier.Failure) -> BankResponse {
        let result = try await verifier.withdraw(
            transaction,
            of: account,
            from: sources,
            by: author
        )
        if result == .done { return .noContent }
        guard let outcome = try await outcome() else { return .notFound(.transaction) }
        return outcome == .withdrawn ? .noContent : .refused(.catalogued(Problem(outcome)))
    }

    fileprivate func notifyAgain() async throws(Verifier.Failure) -> BankResponse {
        let result = try await verifier.notify(
            of: transaction,
            of: account,
            from: sources,
            by: author
        )
        switch result {
        case .notified: return .ok(NotificationResource())
        case .refused(let refusal):
            let resource = NotificationResource(refusal) { seconds(until: $0) }
            return .ok(resource)
        case .rateLimited(let end):
            return .refused(.catalogued(.rateLimited(retryAfterSeconds: seconds(until: end))))
        case .ended, .unknown:
            guard let outcome = try await outcome() else { return .notFound(.transaction) }
            return .refused(.catalogued(Problem(outcome)))
        }
    }

    /// The outcome of a transaction that has ended; it may be in the archive.
    private func outcome() async throws(Verifier.Failure) -> TransactionRecord.Outcome? {
        let found = try await verifier.overview(of: transaction, of: account, from: sources)
        guard case .closed(let outcome, _)? = found?.state else { return nil }
        return outcome
    }

    /// The only response with the number that the person types.
    private func created(
        _ overview: TransactionOverview,
        _ number: TypedNumber?
    ) -> BankResponse {
        var resource = TransactionResource(overview)
        resource.number = number?.digits
        return .created(resource, at: "\(target)/\(resource.id)")
    }
}

extension QueryParameter {
    fileprivate static let source = QueryParameter(
        name: "source",
        rule: "Must be one of: \(RequestSource.allCases.map(\.rawValue).joined(separator: ", "))."
    ) { RequestSource(rawValue: $0) != nil }
    fileprivate static let before = QueryParameter(
        name: "before",
        rule: "Must be the member next of a response."
    ) { TransactionCursor($0) != nil }
}
