import Cryptography

extension VectorType {
    static let hmac = VectorType(
        name: "hmac",
        inputs: [.text("algorithm"), .bytes("key_hex"), .bytes("message_hex")],
        results: [.bytes("mac_hex")]
    ) { row in
        guard
            let key = row.secureBytes("key_hex"), let message = row.bytes("message_hex"),
            let algorithm = row.hashAlgorithm, let hmac = try? HMAC(algorithm, key: key),
            let mac = try? hmac.authenticate(message.span)
        else { return nil }
        // Some figures give only the first bytes; at least 16 are compared.
        let expectedCount = row.text("mac_hex")?.utf8.count ?? 0
        let text = TextEncoding.hexadecimal.encode(mac.array.span)
        return ["mac_hex": .text(String(text.prefix(max(expectedCount, 32))))]
    }

    static let hkdf = VectorType(
        name: "hkdf",
        inputs: [
            .text("algorithm"), .bytes("ikm_hex"), .bytes("salt_hex").optional,
            .bytes("info_hex"), .integer("length"),
        ],
        results: [.bytes("prk_hex"), .bytes("okm_hex")]
    ) { row in
        let salt = row.bytes("salt_hex") ?? []
        guard
            let key = row.secureBytes("ikm_hex"), let algorithm = row.hashAlgorithm,
            let info = row.bytes("info_hex"), let length = row.integer("length"),
            let pseudorandom = try? HKDF.extract(algorithm, from: key, salt: salt.span),
            let derived = try? HKDF.derive(
                algorithm,
                from: key,
                salt: salt.span,
                info: info.span,
                byteCount: length
            )
        else { return nil }
        return [
            "prk_hex": .text(pseudorandom.withBytes { TextEncoding.hexadecimal.encode($0) }),
            "okm_hex": .text(derived.withBytes { TextEncoding.hexadecimal.encode($0) }),
        ]
    }

    static let argon2id = VectorType(
        name: "argon2id",
        inputs: [
            .bytes("password_hex"), .bytes("salt_hex"), .bytes("secret_hex"), .bytes("ad_hex"),
            .integer("iterations"), .integer("memory_kib"), .integer("lanes"),
            .integer("tag_length"),
        ],
        results: [.bytes("tag_hex")]
    ) { row in
        guard
            let password = row.secureBytes("password_hex"),
            let secret = row.secureBytes("secret_hex"),
            let salt = row.bytes("salt_hex"), let associatedData = row.bytes("ad_hex"),
            let cost = row.cost, let length = row.integer("tag_length"),
            let tag = try? await Argon2id.deriveKey(
                from: password,
                salt: salt,
                secret: secret,
                associatedData: associatedData,
                cost: cost,
                byteCount: length
            )
        else { return nil }
        return ["tag_hex": .text(tag.withBytes { TextEncoding.hexadecimal.encode($0) })]
    }

    static let base32 = VectorType(
        name: "base32",
        inputs: [.text("text")],
        results: [.bytes("bytes_hex")]
    ) { row in
        guard
            let text = row.text("text"),
            let bytes = try? TextEncoding.base32.decode(secret: text.utf8.span)
        else { return nil }
        return ["bytes_hex": .text(bytes.withBytes { TextEncoding.hexadecimal.encode($0) })]
    }
}

extension VectorCase {
    fileprivate func secureBytes(_ name: String) -> SecureBytes? {
        guard let bytes = bytes(name) else { return nil }
        return try? SecureBytes(copying: bytes.span)
    }

    fileprivate var hashAlgorithm: HashAlgorithm? {
        switch text("algorithm") {
        case "SHA1": .sha1
        case "SHA256": .sha256
        case "SHA512": .sha512
        default: nil
        }
    }

    fileprivate var cost: Argon2id.Cost? {
        guard
            let passes = integer("iterations"), let memoryKiB = integer("memory_kib"),
            let lanes = integer("lanes")
        else { return nil }
        return try? Argon2id.Cost(passes: passes, memoryKiB: memoryKiB, lanes: lanes)
    }
}
