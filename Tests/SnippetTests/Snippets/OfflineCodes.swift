import AuthenticationHandler

extension App {
    func showCode(with digits: inout [UInt8]) async throws(AuthenticationError) {
        let code = try await handler.oneTimeCode(pin: PIN(wiping: &digits))
        show(code.text)
    }

    func showCode(with digits: inout [UInt8], over entered: String)
        async throws(AuthenticationError)
    {
        let code = try await handler.oneTimeCode(
            pin: PIN(wiping: &digits),
            signing: Array(entered.utf8)
        )
        show(code.text)
    }
}
