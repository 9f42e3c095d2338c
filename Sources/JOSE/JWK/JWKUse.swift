import Cryptography
import StrictJSON

/// The way in which a JSON web key (RFC 7517) will be used.
///
/// A key whose `use`, `key_ops` or `alg` names another use is refused.
package enum JWKUse: Sendable {
    case signature(JWS.Algorithm)
    case encryption(JWE.Algorithm)

    /// A key that is used directly may name its cipher (RFC 7520, section 5.6.1).
    private var algorithms: [String] {
        switch self {
        case .signature(let algorithm): [algorithm.rawValue]
        case .encryption(.direct):
            [JWE.Algorithm.direct.rawValue] + JWE.Encryption.allCases.map(\.rawValue)
        case .encryption(let algorithm): [algorithm.rawValue]
        }
    }

    private var name: String {
        switch self {
        case .signature: "sig"
        case .encryption: "enc"
        }
    }

    /// The operations of a private or secret key, or of a public one.
    private func operations(isPublic: Bool) -> [String] {
        switch self {
        case .signature: isPublic ? ["verify"] : ["sign"]
        case .encryption(.direct): ["encrypt", "decrypt"]
        case .encryption(.ecdhES): ["deriveKey", "deriveBits"]
        case .encryption(.rsaOAEP256):
            isPublic ? ["encrypt", "wrapKey"] : ["decrypt", "unwrapKey"]
        }
    }

    private func permits(_ key: JSONValue, isPublic: Bool) -> Bool {
        let operations = operations(isPublic: isPublic)
        let listed = key["key_ops"]?.elements ?? operations.map(JSONValue.string)
        return listed.contains { $0.text.map(operations.contains) ?? false }
            && Self.isAbsent("alg", in: key, orOneOf: algorithms)
            && Self.isAbsent("use", in: key, orOneOf: [name])
    }

    private static func isAbsent(
        _ name: String,
        in key: JSONValue,
        orOneOf texts: [String]
    ) -> Bool {
        guard let member = key[name] else { return true }
        return member.text.map(texts.contains) ?? false
    }
}

extension JWKUse {
    /// Accepts a key of this type for this use.
    func check(
        _ key: JSONValue,
        type: String,
        isPublic: Bool
    ) throws(JOSEFailure) {
        guard
            key["kty"]?.text == type, permits(key, isPublic: isPublic),
            // The owner of a private key that arrives as a public one has lost it.
            !isPublic || key["d"] == nil
        else { throw .refused }
    }
}

extension JSONValue {
    /// The bytes of a member in base64url.
    func bytes(_ name: String) throws(JOSEFailure) -> [UInt8] {
        guard let text = self[name]?.text else { throw .refused }
        return try orRefused(TextEncoding.base64URL.decode(text))
    }

    func secretBytes(_ name: String) throws(JOSEFailure) -> SecureBytes {
        guard let text = self[name]?.text else { throw .refused }
        let characters = Array(text.utf8)
        return try orRefused(TextEncoding.base64URL.decode(secret: characters.span))
    }
}
