import Cryptography
package import TransactionApproval
package import Verification

extension Bank {
    /// The text of a new token; for all enterprises by default.
    package func makeToken(
        _ name: String = "token",
        for role: BankToken.Role = .issuer,
        in enterprise: EnterpriseID? = enterprise,
        lasting lifetime: Duration = .seconds(365 * 24 * 60 * 60)
    ) async throws -> [UInt8] {
        let result = try await verifier.makeToken(
            named: BankTokenName(checked: name),
            for: role,
            reaching: enterprise.map { .enterprise($0) } ?? .all,
            lasting: lifetime,
            by: .operatorCommand
        )
        guard case .made(let token) = consume result else { throw Unexpected() }
        return try token.text().withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    /// A call of a token for `content`, with this key.
    package func call(
        _ key: String,
        for content: String = "",
        of caller: BankTokenID? = nil,
        in enterprise: EnterpriseID = enterprise
    ) async throws -> BankCall {
        let key = IdempotencyKey(checked: key)
        return try await verifier.call(
            key,
            of: caller.map { .token($0) } ?? .operatorCommand,
            in: enterprise,
            for: Array(content.utf8)
        )
    }
}
