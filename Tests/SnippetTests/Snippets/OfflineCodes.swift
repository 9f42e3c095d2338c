import AuthenticationHandler

extension App {
    func showCode(with digits: [UInt8]) async throws(AuthenticationError) {
        let code = try await handler.oneTimeCode(pin: PIN(copying: digits.span))
        show(code.text)
    }

    func showCode(with digits: [UInt8], over entered: String) async throws(AuthenticationError) {
        let code = try await handler.oneTimeCode(
            pin: PIN(copying: digits.span),
            signing: Array(entered.utf8)
        )
        show(code.text)
    }
}
