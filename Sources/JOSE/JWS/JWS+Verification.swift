package import Cryptography
import StrictJSON

extension JWS {
    /// A key to verify signatures of one algorithm.
    package enum VerificationKey: Sendable {
        case es256(P256.PublicKey)
        case ps256(RSA.PublicKey)

        package init(_ key: Certificate.PublicKey) {
            self =
                switch key {
                case .p256(let key): .es256(key)
                case .rsa(let key): .ps256(key)
                }
        }
    }

    /// The payload, if `key` signed it; certificates in the header are not used.
    package func payload(verifiedBy key: VerificationKey) throws(JOSEFailure) -> [UInt8] {
        guard try isValid(for: key) else { throw .refused }
        return payload
    }

    /// The payload, if the key of the header's first certificate signed it, and a chain leads from
    /// that certificate to `anchor`.
    package func payload(
        verifiedBelow anchor: Certificate,
        at seconds: Int64,
        permitting algorithms: [Algorithm]
    ) throws(JOSEFailure) -> [UInt8] {
        let chain = try certificates()
        guard let leaf = chain.first, algorithms.contains(algorithm) else { throw .refused }
        let isTrusted = try orRefused(
            leaf.isTrusted(below: anchor, through: Array(chain.dropFirst()), at: seconds)
        )
        guard isTrusted else { throw .refused }
        let key = try orRefused(leaf.publicKey())
        return try payload(verifiedBy: VerificationKey(key))
    }

    private func isValid(for key: VerificationKey) throws(JOSEFailure) -> Bool {
        let signed = parts.text.span.extracting(first: parts.length(ofFirst: 2))
        switch (algorithm, key) {
        case (.es256, .es256(let key)):
            let signature = try orRefused(P256.Signature(raw: signature.span))
            return try orRefused(key.isValid(signature, for: signed))
        case (.ps256, .ps256(let key)):
            return try orRefused(key.isValid(pssSignature: signature.span, for: signed))
        case (.es256, .ps256), (.ps256, .es256): return false
        }
    }

    /// RFC 7515, section 4.1.6: base64 with padding, not base64url.
    private func certificates() throws(JOSEFailure) -> [Certificate] {
        guard case .array(let elements) = header["x5c"] else { throw .refused }
        return try elements.map { element throws(JOSEFailure) in
            guard let text = element.text else { throw .refused }
            let der = try orRefused(TextEncoding.base64.decode(text))
            return try orRefused(Certificate(der: der.span))
        }
    }
}
