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
    func turnOnBiometrics(with digits: [UInt8]) async throws(AuthenticationError) {
        try await handler.updateAuthenticationType(
            .turnOn(.biometric, pin: PIN(copying: digits.span))
        )
    }

    func turnOffBiometrics() async throws(AuthenticationError) {
        try await handler.updateAuthenticationType(.turnOff(.biometric))
    }

    func approveByBiometrics(
        _ transaction: PendingTransaction
    ) async throws(AuthenticationError) {
        do throws(AuthenticationError) {
            try await handler.authenticateUsingBiometrics(transaction)
        } catch  where error.offeredTypes?.contains(.userPIN) == true {
            let digits = await ask("the PIN")
            try await handler.authenticateUsingUserPIN(transaction, pin: PIN(copying: digits.span))
        }
    }

    func logInByBiometrics(over challenge: [UInt8]) async throws(AuthenticationError) -> String {
        let login = try await handler.verifyBiometrics(signing: challenge)
        return login
    }
}
