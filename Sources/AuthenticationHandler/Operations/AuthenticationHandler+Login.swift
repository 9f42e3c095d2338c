import Cryptography
import TransactionApproval

extension AuthenticationHandler {
    /// Logs in to the bank with PIN or biometrics, and signs `data` from the bank's backend.
    ///
    /// The backend redeems the returned token once, within two minutes, with the same data. `data`
    /// is nil if the backend does not send a challenge; empty data throws `signingDataMissing`. With
    /// nil as `account`, it uses the first of `accounts()`.
    public func logIn(
        with method: consuming AuthenticationMethod,
        signing data: [UInt8]?,
        for account: Account? = nil
    ) async throws(AuthenticationError) -> String {
        guard data?.isEmpty != true else { throw AuthenticationError(.signingDataMissing) }
        let type = method.type
        guard type != .consent else { throw AuthenticationError(.authenticationTypeNotAllowed) }
        try await recover { $0.name == account }
        let record = try await currentAccount(account).record
        let factor = try await factor(method, of: record.device, possible: enabledTypes(of: record))
        // A login without data is a login over zero bytes.
        let signed = data ?? []
        let digest = try translatingSystemFailure(HashAlgorithm.sha256.digest(of: signed.span))
        let response = try await send(
            LoginExchange.self,
            over: .login(digest),
            of: record.device,
            with: factor
        ) { envelope, _ throws(AuthenticationError) in
            LoginExchange.Request(dataDigest: digest, type: type, envelope: envelope)
        }
        return response.login.text
    }
}
