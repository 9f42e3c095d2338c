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
            listTransactions
        ),
        BankRoute(
            calling: ofAccount + "/transactions",
            .transactions,
            with: TransactionContent.self,
            requestTransaction
        ),
        BankRoute(.get, ofTransaction, .read, query: ["wait"], showTransaction),
        BankRoute(.put, ofTransaction + "/withdrawal", .transactions, withdrawTransaction),
    ]

    /// Proxies close silent connections after about a minute.
    private static let maximumWait = 60

    private static func listTransactions(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let limit = request.query.number("limit", in: 1...50, default: 20) else {
            return .refused(.own(.invalidQuery))
        }
        var cursor: TransactionCursor?
        if let text = request.query.text("before") {
            guard let read = TransactionCursor(text) else {
                return .refused(.own(.invalidQuery))
            }
            cursor = read
        }
        let found = try await request.verifier.transactions(
            of: request.account,
            before: cursor,
            limit: limit
        )
        guard let page = found else { return .notFound }
        return .ok(
            TransactionList(
                transactions: page.transactions.map { TransactionResource($0) },
                next: page.next?.text
            )
        )
    }

    private static func requestTransaction(
        _ request: BankRequest,
        _ content: TransactionContent,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        let asked: TransactionRequest
        switch Result(catching: { () throws(ContentFailure) in
            try TransactionRequest(content, for: request.account)
        }) {
        case .success(let read): asked = read
        case .failure(let failure):
            return .refused(.content(.invalidContent, failure))
        }
        switch try await request.verifier.request(asked, call: call, by: request.actor) {
        case .created(let transaction, _): return try await request.created(transaction.id)
        case .repeated(let id): return try await request.created(id)
        case .keyReused: return .refused(.own(.idempotencyKeyReused))
        case .refused(let refusal):
            return .refused(.content(.policyForbids, refusal.failure(in: content)))
        case .unknownAccount: return .notFound
        case .noActiveDevice: return .refused(.own(.noActiveDevice))
        case .tooManyPending: return .refused(.own(.tooManyPending))
        case .rateLimited(let end):
            let wait = end.elapsed(since: request.verifier.now).components.seconds + 1
            let seconds = UInt32(clamping: wait)
            return .refused(.catalogued(.rateLimited(retryAfterSeconds: seconds)))
        }
    }

    private static func showTransaction(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let seconds = request.query.number("wait", in: 0...maximumWait, default: 0) else {
            return .refused(.own(.invalidQuery))
        }
        let found = try await request.verifier.overview(
            of: request.transaction,
            of: request.account,
            within: .seconds(seconds)
        )
        guard let overview = found else { return .refused(.catalogued(.unknownTransaction)) }
        return .ok(TransactionResource(overview))
    }

    private static func withdrawTransaction(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        let isFirst = try await request.verifier.withdraw(
            request.transaction,
            of: request.account,
            by: request.actor
        )
        if isFirst == true { return .noContent }
        // Closed transactions move to the archive.
        let found = try await request.verifier.overview(
            of: request.transaction,
            of: request.account
        )
        guard case .closed(let outcome, _)? = found?.state else {
            return .refused(.catalogued(.unknownTransaction))
        }
        return outcome == .withdrawn ? .noContent : .refused(.catalogued(Problem(outcome)))
    }
}

extension BankRequest {
    /// The only response with the number that the person types.
    fileprivate func created(_ id: TransactionID) async throws(Verifier.Failure) -> BankResponse {
        guard let overview = try await verifier.overview(of: id, of: account) else {
            return .refused(.catalogued(.unknownTransaction))
        }
        var resource = TransactionResource(overview)
        resource.number = try await verifier.number(for: id, of: account)?.digits
        return .created(resource, at: "\(target)/\(id)")
    }
}
