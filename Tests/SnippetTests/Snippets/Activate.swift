import AuthenticationHandler

func makeHandler(
    _ vaultPath: String,
    _ secretsPath: String
) throws(AuthenticationError) -> AuthenticationHandler {
    let handler = try AuthenticationHandler(
        vault: vaultPath,
        secrets: SecretFolder(secretsPath),
        deviceName: "Anna's laptop"
    )
    return handler
}

extension App {
    func pin(_ key: String, _ backupKey: String) async throws(AuthenticationError) {
        let server = try PinnedServer(
            origin: "https://approve.bank.example",
            keys: [key, backupKey]
        )
        try await handler.configurePinning([server])
    }

    func trust(
        _ agreementKey: String,
        _ signingKey: String
    ) throws(AuthenticationError) -> TrustedServer {
        let server = try TrustedServer(
            origin: "https://approve.bank.example",
            agreementKey: agreementKey,
            signingKey: signingKey
        )
        return server
    }

    func activation(
        _ typedID: String,
        _ typedCode: [UInt8],
        _ server: TrustedServer
    ) throws(AuthenticationError) -> Activation {
        let activation = try Activation(id: typedID, code: typedCode.span, at: server)
        return activation
    }

    func activation(
        scanned text: [UInt8],
        _ typedCode: [UInt8],
        _ server: TrustedServer
    ) throws(AuthenticationError) -> Activation {
        let activation = try Activation(
            scanned: text.span,
            code: typedCode.span,
            trusting: [server]
        )
        return activation
    }

    func activate(_ activation: consuming Activation) async throws(AuthenticationError) {
        let verified = try await handler.verifyActivation(activation)
        let purpose = verified.existingAccount.map { "the PIN of \($0)" } ?? "a new PIN"
        var digits = await ask(purpose)
        let pin = try PIN(wiping: &digits)
        if verified.existingAccount == nil { try pin.check(against: verified.pinPolicy) }
        let enrolments = try await handler.setPIN(pin, for: verified)
        for enrolment in enrolments {
            switch enrolment.outcome {
            case .enrolled: show("\(enrolment.account) is set up.")
            case .tooManyDevices: show("\(enrolment.account) has too many devices; remove one.")
            case .accountReplaced:
                show("\(enrolment.account) was replaced; ask the bank.")
            }
        }
    }
}
