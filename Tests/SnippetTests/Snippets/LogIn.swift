import AuthenticationHandler

extension App {
    func logIn(over challenge: [UInt8]) async throws(AuthenticationError) -> String {
        var digits = await ask("the PIN")
        let login = try await handler.logIn(
            with: .pin(PIN(wiping: &digits)),
            signing: challenge
        )
        return login
    }

    func logIn(
        over challenge: [UInt8],
        with digits: inout [UInt8],
        to account: Account
    ) async throws(AuthenticationError) -> String {
        let login = try await handler.logIn(
            with: .pin(PIN(wiping: &digits)),
            signing: challenge,
            for: account
        )
        return login
    }
}
