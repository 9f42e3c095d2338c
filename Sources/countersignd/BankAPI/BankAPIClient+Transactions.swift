import CommandLineTool
import TransactionApproval
import VerifierServer

extension BankAPIClient {
    /// The maximum of the API.
    private static let maximumPage = 50

    func createTransaction(
        _ content: [UInt8],
        for account: AccountPath,
        key: APIRequest.IdempotencyKey
    ) async throws(CommandFailure) -> TransactionResource {
        let path = account.path + "/transactions"
        return try await send(APIRequest(.post, path, of: "account", body: content, key: key))
    }

    /// Returns at once, or if the transaction is pending after a decision or the timeout.
    func transaction(
        _ id: TransactionID,
        of account: AccountPath,
        timeoutSeconds: Int = 0
    ) async throws(CommandFailure) -> TransactionResource {
        let target = account.path(of: id) + (timeoutSeconds == 0 ? "" : "?wait=\(timeoutSeconds)")
        return try await send(APIRequest(.get, target, of: "transaction"))
    }

    /// The newest transactions first.
    func transactions(
        of account: AccountPath,
        limit: Int
    ) async throws(CommandFailure) -> [TransactionResource] {
        var (found, next) = ([TransactionResource](), String?.none)
        repeat {
            let size = min(Self.maximumPage, limit - found.count)
            let cursor = next.map { "&before=\($0)" } ?? ""
            let target = "\(account.path)/transactions?limit=\(size)\(cursor)"
            let page = try await send(
                APIRequest(.get, target, of: "account"),
                for: TransactionList.self
            )
            found += page.transactions
            next = page.next
        } while next != nil && found.count < limit
        return found
    }

    func withdraw(_ id: TransactionID, of account: AccountPath) async throws(CommandFailure) {
        try await send(APIRequest(.put, account.path(of: id) + "/withdrawal", of: "transaction"))
    }
}
