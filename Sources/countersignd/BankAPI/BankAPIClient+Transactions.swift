import CommandLineTool
import TransactionApproval
import VerifierServer

extension BankAPIClient {
    /// Reads a transaction.
    ///
    /// With a timeout, it returns as soon as the transaction is final, or after the timeout.
    func transaction(
        _ id: TransactionID,
        of account: AccountPath,
        timeoutSeconds: Int = 0
    ) async throws(CommandFailure) -> TransactionResource {
        let target = account.path(of: id) + (timeoutSeconds == 0 ? "" : "?wait=\(timeoutSeconds)")
        return try await send(APIRequest(.get, target, of: "transaction"))
    }

    /// The file of evidence for a decision.
    func evidence(
        of id: TransactionID,
        in account: AccountPath
    ) async throws(CommandFailure) -> [UInt8] {
        try await send(APIRequest(.get, account.path(of: id) + "/evidence", of: "transaction"))
    }
}
