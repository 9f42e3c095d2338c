package import Cryptography
import StrictJSON
import TransactionApproval

/// The identity of this verifier at push services (RFC 8292).
package struct VAPID: Sendable {
    private struct Header: Encodable {
        let typ = "JWT"
        let alg = "ES256"
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: UInt64
        let sub: String
    }

    /// Half of the maximum of push services, because clocks differ.
    private static let life: UInt64 = 12 * 60 * 60

    private let key: P256.PrivateKey
    /// A page for the operators of push services.
    private let contact: String

    package init(_ key: P256.PrivateKey, contact: String) {
        (self.key, self.contact) = (key, contact)
    }

    /// Browsers subscribe for this key.
    package var publicKey: P256.PublicKey { key.publicKey }

    /// The value of `Authorization` for a push service.
    func authorization(at origin: String, _ now: Timestamp) async throws -> String {
        let end = now.milliseconds / 1000 + Self.life
        let parts = [
            try StrictJSON.encode(Header()),
            try StrictJSON.encode(Claims(aud: origin, exp: end, sub: contact)),
        ]
        let signed = parts.map { TextEncoding.base64URL.encode($0.span) }.joined(separator: ".")
        let message = Array(signed.utf8)
        let signature = try await key.withoutBlocking { key throws(CryptographyFailure) in
            try key.signature(for: message.span)
        }
        let token = signed + "." + TextEncoding.base64URL.encode(signature.raw.span)
        let point = key.publicKey.uncompressedPoint
        return "vapid t=\(token), k=\(TextEncoding.base64URL.encode(point.span))"
    }
}
