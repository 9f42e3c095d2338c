import TransactionApproval
import Verification

extension BankRoute {
    private static let ofTransaction = ofAccount + "/transactions/{transaction}"

    static let transactions = [
        BankRoute(
            .get,
            ofAccount + "/transactions",
            .read,
            query: ["before", "limit"],
            BankRequest.listTransactions
        ),
        BankRoute(
            calling: ofAccount + "/transactions",
            .transactions,
            BankRequest.requestTransaction
        ),
        BankRoute(.get, ofTransaction, .read, query: ["wait"], BankRequest.showTransaction),
        BankRoute(
            .put,
            ofTransaction + "/withdrawal",
            .transactions,
            BankRequest.withdrawTransaction
        ),
    ]
}

extension BankRequest {
    /// Proxies close silent connections after about a minute.
    private static let maximumWait = 60

    fileprivate func listTransactions() async throws(Verifier.Failure) -> BankResponse {
        let before = query.text("before")
        let cursor = before.flatMap { TransactionCursor($0) }
        guard
            let limit = query.number("limit", in: 1...50, default: 20),
            before == nil || cursor != nil
        else { return .refused(.own(.invalidQuery)) }
        guard
            let page = try await verifier.transactions(of: account, before: cursor, limit: limit)
        else { return .notFound }
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
        let request: TransactionRequest
        do throws(ContentFailure) {
            request = try TransactionRequest(content, for: account)
        } catch {
            return .refused(.content(.invalidContent, error))
        }
        switch try await verifier.request(request, call: call, by: actor) {
        case .created(let transaction, _): return try await created(transaction.id)
        case .repeated(let id): return try await created(id)
        case .keyReused: return .refused(.own(.idempotencyKeyReused))
        case .refused(let refusal):
            return .refused(.content(.policyForbids, refusal.failure(in: content)))
        case .unknownAccount: return .notFound
        case .noActiveDevice: return .refused(.own(.noActiveDevice))
        case .tooManyPending: return .refused(.own(.tooManyPending))
        case .rateLimited(let end):
            let seconds = UInt32(clamping: end.elapsed(since: verifier.now).components.seconds + 1)
            return .refused(.catalogued(.rateLimited(retryAfterSeconds: seconds)))
        }
    }

    fileprivate func showTransaction() async throws(Verifier.Failure) -> BankResponse {
        guard let seconds = query.number("wait", in: 0...Self.maximumWait, default: 0) else {
            return .refused(.own(.invalidQuery))
        }
        let wait = Duration.seconds(seconds)
        guard
            let overview = try await verifier.overview(of: transaction, of: account, within: wait)
        else { return .refused(.catalogued(.unknownTransaction)) }
        return .ok(TransactionResource(overview))
    }

    fileprivate func withdrawTransaction() async throws(Verifier.Failure) -> BankResponse {
        let result = try await verifier.withdraw(transaction, of: account, by: actor)
        if result == .done { return .noContent }
        // Closed transactions move to the archive.
        let found = try await verifier.overview(of: transaction, of: account)
        guard case .closed(let outcome, _)? = found?.state else {
            return .refused(.catalogued(.unknownTransaction))
        }
        return outcome == .withdrawn ? .noContent : .refused(.catalogued(Problem(outcome)))
    }

    /// The only response with the number that the person types.
    private func created(_ id: TransactionID) async throws(Verifier.Failure) -> BankResponse {
        guard let overview = try await verifier.overview(of: id, of: account) else {
            return .refused(.catalogued(.unknownTransaction))
        }
        var resource = TransactionResource(overview)
        resource.number = try await verifier.number(for: id, of: account)?.digits
        return .created(resource, at: "\(target)/\(id)")
    }
}
