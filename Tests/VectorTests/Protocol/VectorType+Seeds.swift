import Cryptography
import TransactionApproval

@testable import SelfTest

extension VectorType {
    /// The seed of a device, from a PIN or from 32 random bytes.
    static let credentialSeed = VectorType(
        name: "credential-seed",
        inputs: [
            .text("enterprise"), .text("credential"), .text("kind"), .text("generation"),
            .bytes("share_hex"), .bytes("store_secret_hex"), .bytes("factor_hex").optional,
            .text("pin").optional, .bytes("salt_hex").optional, .integer("iterations").optional,
            .integer("memory_kib").optional, .integer("lanes").optional,
        ],
        results: [.bytes("seed_hex")]
    ) { row in
        let parts = try [row.bytes("share_hex"), row.bytes("store_secret_hex"), await row.factor()]
        guard parts.allSatisfy({ $0.count == 32 }) else { throw VectorCase.Refused() }
        let all = parts.flatMap(\.self)
        var info = FieldWriter(.credentialSeed)
        info.append(try row.credentialContext())
        let infoBytes = info.bytes
        let seed = try HKDF.derive(
            from: SecureBytes(copying: all.span),
            info: infoBytes.span,
            byteCount: CredentialSeed.byteCount
        )
        return ["seed_hex": .text(seed.withBytes { TextEncoding.hexadecimal.encode($0) })]
    }
}

extension VectorCase {
    fileprivate func factor() async throws -> [UInt8] {
        guard has("pin") else { return try bytes("factor_hex") }
        let pin = Array(try text("pin").utf8)
        let salt = try bytes("salt_hex")
        guard salt.count == 16 else { throw Refused() }
        let key = try await Argon2id.deriveKey(
            from: SecureBytes(copying: pin.span),
            salt: salt,
            cost: Argon2id.Cost(
                passes: integer("iterations"),
                memoryKiB: integer("memory_kib"),
                lanes: integer("lanes")
            ),
            byteCount: 32
        )
        return key.withBytes { $0.array }
    }
}
