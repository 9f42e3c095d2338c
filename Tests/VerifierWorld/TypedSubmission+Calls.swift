package import TransactionApproval
package import Verification

extension TypedSubmission {
    /// A submission with codes, under the given key or a new one.
    package static func of(
        _ codes: [String],
        over data: [UInt8]? = nil,
        call: String? = nil,
        on device: DeviceID,
        of account: AccountReference = Bank.account,
        to verifier: Verifier
    ) async throws -> TypedSubmission {
        let key = try IdempotencyKey(call ?? AttemptID.random().description).unwrapped()
        var content = FieldWriter()
        content.append(device)
        content.append(UInt8(codes.count))
        for code in codes { content.append(code) }
        content.append(UInt8(data == nil ? 0 : 1))
        content.append(data ?? [])
        return TypedSubmission(
            call: try await verifier.call(
                key,
                of: .operatorCommand,
                in: account.enterprise,
                for: content.bytes
            ),
            device: device,
            account: account
        )
    }
}
