import CommandLineTool
import TransactionApproval
import VerifierServer

/// A credential of a device of an account.
struct CredentialPath: Sendable {
    let account: AccountPath
    let device: DeviceID
    let kind: CredentialKind

    fileprivate var path: String {
        "\(account.path(of: device))/credentials/\(kind.rawValue)"
    }
}

enum CredentialChange {
    case unlock, enable, disable

    fileprivate var method: APIRequest.Method { self == .disable ? .delete : .put }
    fileprivate var path: String { self == .unlock ? "/unlocking" : "/enabling" }
}

extension BankAPIClient {
    func devices(of account: AccountPath) async throws(CommandFailure) -> [DeviceResource] {
        let request = APIRequest(.get, account.path + "/devices", of: "account")
        return try await send(request, for: DeviceList.self).devices
    }

    func revoke(_ device: DeviceID, of account: AccountPath) async throws(CommandFailure) {
        try await send(APIRequest(.delete, account.path(of: device), of: "device"))
    }

    func resynchronise(
        _ device: DeviceID,
        of account: AccountPath,
        with codes: CodePair,
        key: APIRequest.IdempotencyKey
    ) async throws(CommandFailure) {
        let path = account.path(of: device) + "/resynchronisation"
        let body = try APIRequest.json(codes)
        try await send(APIRequest(.post, path, of: "device", body: body, key: key))
    }

    func change(
        _ credential: CredentialPath,
        _ change: CredentialChange
    ) async throws(CommandFailure) {
        let path = credential.path + change.path
        try await send(APIRequest(change.method, path, of: "device or credential"))
    }
}
