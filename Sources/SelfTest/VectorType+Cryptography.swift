package import Cryptography

extension VectorType {
    static let hmac = VectorType(
        name: "hmac",
        inputs: [.text("algorithm"), .bytes("key_hex"), .bytes("message_hex")],
        results: [.bytes("mac_hex")]
    ) { row in
        let hmac = try HMAC(row.hashAlgorithm(), key: row.secureBytes("key_hex"))
        let message = try row.bytes("message_hex")
        let mac = try hmac.authenticate(message.span).array
        // Some published vectors contain only the first bytes; fewer than 16 prove nothing.
        let expectedCount = row.has("mac_hex") ? try row.bytes("mac_hex").count : mac.count
        let compared = Array(mac.prefix(max(expectedCount, 16)))
        return ["mac_hex": .text(TextEncoding.hexadecimal.encode(compared.span))]
    }

    static let hkdf = VectorType(
        name: "hkdf",
        inputs: [
            .text("algorithm"), .bytes("ikm_hex"), .bytes("salt_hex").optional,
            .bytes("info_hex"), .integer("length"),
        ],
        results: [.bytes("prk_hex"), .bytes("okm_hex")]
    ) { row in
        let key = try row.secureBytes("ikm_hex")
        let algorithm = try row.hashAlgorithm()
        let salt = row.has("salt_hex") ? try row.bytes("salt_hex") : []
        let info = try row.bytes("info_hex")
        let length = try row.integer("length")
        let pseudorandom = try HKDF.extract(algorithm, from: key, salt: salt.span)
        let derived = try HKDF.derive(
            algorithm,
            from: key,
            salt: salt.span,
            info: info.span,
            byteCount: length
        )
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
        let password = try row.secureBytes("password_hex")
        let secret = try row.secureBytes("secret_hex")
        let tag = try await Argon2id.deriveKey(
            from: password,
            salt: row.bytes("salt_hex"),
            secret: secret,
            associatedData: row.bytes("ad_hex"),
            cost: Argon2id.Cost(
                passes: row.integer("iterations"),
                memoryKiB: row.integer("memory_kib"),
                lanes: row.integer("lanes")
            ),
            byteCount: row.integer("tag_length")
        )
        return ["tag_hex": .text(tag.withBytes { TextEncoding.hexadecimal.encode($0) })]
    }

    static let base32 = VectorType(
        name: "base32",
        inputs: [.text("text")],
        results: [.bytes("bytes_hex")]
    ) { row in
        let bytes = try TextEncoding.base32.decode(secret: row.text("text").utf8.span)
        return ["bytes_hex": .text(bytes.withBytes { TextEncoding.hexadecimal.encode($0) })]
    }
}

extension VectorCase {
    package func secureBytes(_ name: String) throws -> SecureBytes {
        let bytes = try bytes(name)
        return try SecureBytes(copying: bytes.span)
    }

    fileprivate func hashAlgorithm() throws -> HashAlgorithm {
        switch try text("algorithm") {
        case "SHA1": .sha1
        case "SHA256": .sha256
        case "SHA512": .sha512
        default: throw Refused()
        }
    }
}
