import CommandLineTool
import TransactionApproval
import VerifierServer

extension BankAPIClient {
    enum ImageFormat: String {
        case svg, txt
    }

    func createActivation(
        for account: AccountPath,
        key: APIRequest.IdempotencyKey
    ) async throws(CommandFailure) -> ActivationResource {
        let path = account.path + "/activations"
        let body = Array("{}".utf8)
        return try await send(APIRequest(.post, path, of: "account", body: body, key: key))
    }

    func activations(of account: AccountPath) async throws(CommandFailure) -> ActivationList {
        try await send(APIRequest(.get, account.path + "/activations", of: "account"))
    }

    func activation(
        _ id: ActivationID,
        of account: AccountPath
    ) async throws(CommandFailure) -> ActivationResource {
        try await send(APIRequest(.get, account.path(of: id), of: "activation"))
    }

    func qrCode(
        of id: ActivationID,
        of account: AccountPath,
        as format: ImageFormat
    ) async throws(CommandFailure) -> String {
        let path = account.path(of: id) + "/qr.\(format.rawValue)"
        return try await text(APIRequest(.get, path, of: "open activation"))
    }
}
