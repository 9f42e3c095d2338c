import Cryptography
import JOSE
import StrictJSON
import Testing
import VectorTesting

/// Wycheproof's tokens; most use algorithms that the package refuses.
@Suite(.needsExtraVectors(for: "Wycheproof's rows of JSON web tokens"))
struct `Wycheproof's rows for JSON web tokens` {
    private struct Parameters: Decodable {
        let `public`, `private`: WebKeys?

        /// The public halves, if the file has them.
        var keys: [JSONValue] { (`public` ?? `private`)?.values ?? [] }
    }

    private struct Fields: Decodable {
        let jwe, jws: TokenText?
        let pt: String?
    }

    @Test(arguments: [
        "json_web_encryption_test.json", "json_web_signature_test.json",
        "json_web_key_test.json", "json_web_crypto_test.json",
    ])
    func `match for encryption, signatures and keys`(name: String) throws {
        try checkWycheproof(name) { (group: Parameters, row: Fields) in
            Self.isOurs(group, row) ? .checked : .refusedByPolicy
        } accepts: { group, row throws(CryptographyFailure) in
            do {
                return try Self.isAccepted(row, group)
            } catch JOSEFailure.system(let failure) {
                throw .library(operation: "\(failure)", code: 0)
            } catch {
                return false
            }
        }
    }

    /// Whether the package has both the algorithm of the key and those of the token.
    private static func isOurs(_ group: Parameters, _ row: Fields) -> Bool {
        let names = ["ES256", "PS256", "ECDH-ES", "RSA-OAEP-256", "dir"]
        let ours = names.map { #""alg":"\#($0)""# }
        let encryptions = JWE.Encryption.allCases.map { #""enc":"\#($0.rawValue)""# }
        let part = ((row.jws ?? row.jwe)?.text ?? "").prefix { $0 != "." }
        guard
            let bytes = try? TextEncoding.base64URL.decode(String(part)),
            row.jws == nil || !group.keys.contains(where: { $0["kty"]?.text == "oct" })
        else { return false }
        let header = String(decoding: bytes, as: UTF8.self)
        return ours.contains { header.contains($0) }
            && (row.jws != nil || encryptions.contains { header.contains($0) })
    }

    private static func isAccepted(_ row: Fields, _ group: Parameters) throws -> Bool {
        if let text = row.jws?.text {
            let token = try JWS(reading: Array(text.utf8), maximumByteCount: 8192)
            return try group.keys.contains { key in
                _ = try token.payload(verifiedBy: verificationKey(key, for: token.algorithm))
                return true
            }
        }
        let text = row.jwe?.text ?? ""
        let token = try JWE(reading: Array(text.utf8), maximumByteCount: 8192)
        return try (group.private?.values ?? []).contains { key in
            let opened = try opened(token, by: key)
            let expected = try TextEncoding.hexadecimal.decode(row.pt ?? "")
            return opened == expected
        }
    }

    private static func verificationKey(
        _ jwk: JSONValue,
        for algorithm: JWS.Algorithm
    ) throws -> JWS.VerificationKey {
        let use = JWKUse.signature(algorithm)
        return switch algorithm {
        case .es256: .es256(try P256.PublicKey(jwk: jwk, for: use))
        case .ps256: .ps256(try RSA.PublicKey(jwk: jwk, for: use))
        }
    }

    private static func opened(_ token: JWE, by jwk: JSONValue) throws -> [UInt8] {
        let permitted = JWE.Encryption.allCases
        switch token.algorithm {
        case .direct:
            let key = try SecureBytes(jwk: jwk, for: .encryption(.direct))
            return try token.opened(with: key, permitting: permitted)
        case .ecdhES:
            let key = try P256.PrivateKey(jwk: jwk, for: .encryption(.ecdhES))
            // RFC 7518, section 4.6.2.
            let derivation = KeyDerivation(
                algorithmID: Array(token.encryption.rawValue.utf8),
                partyUInfo: [],
                partyVInfo: [],
                byteCount: token.encryption.keyByteCount
            )
            return try token.opened(by: key, deriving: derivation, permitting: permitted)
        case .rsaOAEP256:
            return try token.opened(by: privateRSAKey(jwk), permitting: permitted)
        }
    }
}

/// One JSON web key or a set of them.
private struct WebKeys: Decodable {
    let values: [JSONValue]

    init(from decoder: any Decoder) throws {
        let value = try Tree(from: decoder).value
        values = value["keys"]?.elements ?? [value]
    }
}

/// A compact token, or the text of the other serialization, which is refused.
private struct TokenText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try Tree(from: decoder).value
        text = try value.text ?? String(decoding: value.written(), as: UTF8.self)
    }
}

/// Objects, arrays and strings.
private struct Tree: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let elements = try? container.decode([Tree].self) {
            value = .array(elements.map(\.value))
        } else {
            let members = try container.decode([String: Tree].self)
            value = .object(members.map { JSONValue.Member(name: $0.key, value: $0.value.value) })
        }
    }
}
