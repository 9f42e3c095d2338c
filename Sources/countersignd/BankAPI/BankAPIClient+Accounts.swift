import CommandLineTool
import TransactionApproval
import VerifierServer

extension BankAPIClient {
    func enterprises() async throws(CommandFailure) -> EnterpriseList {
        try await send(APIRequest(.get, EnterpriseID.allPath, of: "enterprise"))
    }

    func createEnterprise(
        _ enterprise: EnterpriseID,
        policy: [UInt8]
    ) async throws(CommandFailure) {
        try await send(APIRequest(.put, enterprise.path, of: "enterprise", body: policy))
    }

    func policy(of enterprise: EnterpriseID) async throws(CommandFailure) -> String {
        let path = enterprise.path + "/policy"
        return try await text(
            APIRequest(.get, path, of: "enterprise", hint: Self.enterpriseHint)
        )
    }

    func setPolicy(
        _ policy: [UInt8],
        of enterprise: EnterpriseID
    ) async throws(CommandFailure) {
        let hint = Self.enterpriseHint + "; --new creates one"
        let path = enterprise.path + "/policy"
        try await send(APIRequest(.put, path, of: "enterprise", hint: hint, body: policy))
    }

    private static let enterpriseHint = "countersignd enterprise list shows the enterprises"

    func addAccount(_ account: AccountPath) async throws(CommandFailure) -> AccountResource {
        try await send(APIRequest(.put, account.path, of: "enterprise"))
    }

    func account(_ account: AccountPath) async throws(CommandFailure) -> AccountResource {
        try await send(APIRequest(.get, account.path, of: "account"))
    }

    func link(_ account: AccountPath, to other: AccountKey) async throws(CommandFailure) {
        try await send(APIRequest(.put, account.path(linking: other), of: "account"))
    }

    func unlink(_ account: AccountPath, from other: AccountKey) async throws(CommandFailure) {
        try await send(APIRequest(.delete, account.path(linking: other), of: "account"))
    }

    func replace(_ account: AccountPath, by successor: AccountKey) async throws(CommandFailure) {
        let body = try APIRequest.json(successor)
        let path = account.path + "/replacement"
        try await send(APIRequest(.put, path, of: "account", body: body))
    }
}
