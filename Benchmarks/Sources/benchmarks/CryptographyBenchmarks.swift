import CReference
import Cryptography

extension Benchmark {
    static var cryptography: [Benchmark] {
        [
            .time("crypto.hkdf", count: 2000, ours: hkdf, reference: reference_hkdf),
            .time(
                "crypto.aes-gcm.seal",
                count: 10_000,
                ours: seal,
                reference: reference_aes_gcm_seal
            ),
            .time(
                "crypto.aes-gcm.open",
                count: 10_000,
                ours: open,
                reference: reference_aes_gcm_open
            ),
            .time("crypto.ecdsa.sign", count: 200, ours: sign, reference: reference_ecdsa_sign),
            .time(
                "crypto.ecdsa.verify",
                count: 100,
                ours: verify,
                reference: reference_ecdsa_verify
            ),
            .argon2id("crypto.argon2id.floor", .floor, pairCount: 60),
            .argon2id("crypto.argon2id.constrained-memory", .constrainedMemory, pairCount: 25),
        ]
    }

    private static func argon2id(
        _ name: String,
        _ cost: Argon2id.Cost,
        pairCount: Int
    ) -> Benchmark {
        .time(
            name,
            .atMost(1.05),
            count: 1,
            in: .ms,
            statistic: .minima,
            pairCount: pairCount,
            ours: { _ in
                try await Argon2id.deriveKey(
                    from: Material.key(0),
                    salt: Material.bytes(ofKey: 1),
                    cost: cost,
                    byteCount: 32
                ).withBytes { $0.array }
            },
            reference: { _, last in
                reference_argon2id(
                    UInt32(cost.passes),
                    UInt32(cost.memoryKiB),
                    UInt32(cost.lanes),
                    last
                )
            }
        )
    }
}

private func hkdf(_ count: Int) throws -> [UInt8] {
    let info = Array("benchmark".utf8)
    func derive(from key: borrowing SecureBytes) throws -> SecureBytes {
        try HKDF.derive(from: key, info: info.span, byteCount: 32)
    }
    let key = try Material.key(0)
    for _ in 0..<count { _ = try derive(from: key) }
    return try derive(from: key).withBytes { $0.array }
}

private func seal(_ count: Int) throws -> [UInt8] {
    let key = try Material.key(0)
    let seed = Material.bytes(ofKey: 1)
    let nonce = Material.bytes(ofKey: 2, count: AESGCM.nonceByteCount)
    var sealed: [UInt8] = []
    for _ in 0..<count {
        sealed = try AESGCM.seal(seed.span, key: key, nonce: nonce.span, authenticating: nonce.span)
    }
    return sealed
}

private func open(_ count: Int) throws -> [UInt8] {
    let sealed = try seal(1)
    let key = try Material.key(0)
    let nonce = Material.bytes(ofKey: 2, count: AESGCM.nonceByteCount)
    func open() throws -> SecureBytes {
        try AESGCM.open(sealed.span, key: key, nonce: nonce.span, authenticating: nonce.span)
    }
    for _ in 0..<count { _ = try open() }
    return try open().withBytes { $0.array }
}

private func sign(_ count: Int) throws -> [UInt8] {
    let key = try P256.PrivateKey()
    let message = Material.bytes(ofKey: 0)
    var signature = try key.signature(for: message.span)
    for _ in 0..<count { signature = try key.signature(for: message.span) }
    return [try key.publicKey.isValid(signature, for: message.span) ? 1 : 0]
}

private func verify(_ count: Int) throws -> [UInt8] {
    let key = try P256.PrivateKey()
    let message = Material.bytes(ofKey: 0)
    let signature = try key.signature(for: message.span)
    var isValid = true
    for _ in 0..<count {
        isValid = try isValid && key.publicKey.isValid(signature, for: message.span)
    }
    return [isValid ? 1 : 0]
}
