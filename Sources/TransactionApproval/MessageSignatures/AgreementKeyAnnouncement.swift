package import Cryptography

/// The next agreement key of a verifier, signed by the current one.
///
/// The response that contains it has a signature of the response key. So neither a stolen response
/// key nor a former agreement key is enough to replace the key that a device trusts.
package struct AgreementKeyAnnouncement: Codable, Equatable, Sendable {
    package let key: P256.PublicKey
    package let signature: P256.Signature

    package init(_ key: P256.PublicKey, signature: P256.Signature) {
        self.key = key
        self.signature = signature
    }

    /// Used by the verifier.
    package init(
        of next: P256.PublicKey,
        at server: ServerOrigin,
        signedBy current: P256.PrivateKey
    ) throws(CryptographyFailure) {
        let message = Self.message(next, after: current.publicKey, at: server)
        self.init(next, signature: try current.signature(for: message.span))
    }

    /// Used by the device: whether the key that it trusts signed the announcement.
    package func isSigned(
        by current: P256.PublicKey,
        at server: ServerOrigin
    ) throws(CryptographyFailure) -> Bool {
        let message = Self.message(key, after: current, at: server)
        return try current.isValid(signature, for: message.span)
    }

    private static func message(
        _ next: P256.PublicKey,
        after current: P256.PublicKey,
        at server: ServerOrigin
    ) -> [UInt8] {
        var message = FieldWriter(.agreementKeyAnnouncement)
        message.append(server.text)
        message.append(current)
        message.append(next)
        return message.bytes
    }
}
