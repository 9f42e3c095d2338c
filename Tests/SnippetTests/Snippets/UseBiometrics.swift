import AuthenticationHandler

func makeHandlerWithBiometrics(
    _ vaultPath: String,
    _ secretsPath: String
) throws(AuthenticationError) -> AuthenticationHandler {
    let handler = try AuthenticationHandler(
        vault: vaultPath,
        secrets: SecretFolder(secretsPath),
        deviceName: "Anna's laptop",
        biometrics: BiometricProgram(path: "/usr/libexec/recognise")
    )
    return handler
}

extension App {
    func enableBiometrics(
        of account: Account,
        with digits: inout [UInt8]
    ) async throws(AuthenticationError) {
        try await handler.enableBiometrics(pin: PIN(wiping: &digits), for: account)
    }

    func disableBiometrics(of account: Account) async throws(AuthenticationError) {
        try await handler.disableBiometrics(for: account)
    }

    func approveWithBiometrics(
        _ transaction: PendingTransaction
    ) async throws(AuthenticationError) {
        do throws(AuthenticationError) {
            try await handler.approve(transaction, with: .biometrics)
        } catch  where error.offeredTypes?.contains(.userPIN) == true {
            var digits = await ask("the PIN")
            try await handler.approve(transaction, with: .pin(PIN(wiping: &digits)))
        }
    }

    func logInWithBiometrics(over challenge: [UInt8]) async throws(AuthenticationError) -> String {
        let login = try await handler.logIn(with: .biometrics, signing: challenge)
        return login
    }
}
