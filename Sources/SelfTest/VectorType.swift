/// A kind of test vector: its fields, and how its results are computed.
struct VectorType: Sendable {
    let name: String
    let inputs: [VectorField]
    let results: [VectorField]
    /// Gives the results, or nil where the input is refused.
    let compute: @Sendable (VectorCase) async -> [String: VectorCase.Value]?

    func outcome(of row: VectorCase) async -> VectorCase.Outcome {
        await compute(row).map(VectorCase.Outcome.accepted) ?? .refused
    }

    static let all = [
        hotp, totp, ocra, ocraSuite, otpauth, hmac, hkdf, argon2id, base32,
    ]
}
