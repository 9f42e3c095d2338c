package import Cryptography

/// The key of one activation, from ECDH and the code.
///
/// The verifier computes it after it has received the proof, so nothing that depends on the code
/// can leak before. Neither side keeps it between the steps.
package struct ActivationSession: ~Copyable, Sendable {
    private let key: SecureBytes
    private let transcript: Digest
    /// Proves that the sender of the claim knows the code.
    package let proof: Digest

    /// Used by the device.
    package init(
        _ claim: ActivationClaim,
        ephemeral: P256.PrivateKey,
        server: P256.PublicKey,
        code: borrowing ActivationCode
    ) throws(CryptographyFailure) {
        try self.init(claim, agreed: try ephemeral.sharedSecret(with: server), code: code)
    }

    /// Used by the verifier; nil if the proof is wrong.
    package static func verify(
        _ submitted: SubmittedClaim,
        server: P256.PrivateKey,
        code: borrowing ActivationCode
    ) throws(CryptographyFailure) -> ActivationSession? {
        let claim = submitted.claim
        let agreed = try server.sharedSecret(with: claim.ephemeralKey)
        let session = try ActivationSession(claim, agreed: agreed, code: code)
        return session.proof == submitted.proof ? consume session : nil
    }

    private init(
        _ claim: ActivationClaim,
        agreed: borrowing SecureBytes,
        code: borrowing ActivationCode
    ) throws(CryptographyFailure) {
        let transcript = try claim.transcript()
        let inputKey = try agreed.withBytes { agreed throws(CryptographyFailure) in
            try code.withSecret { code throws(CryptographyFailure) in
                try SecureBytes(joining: agreed, code)
            }
        }
        let key = try transcript.withBytes { salt throws(CryptographyFailure) in
            try HKDF.extract(from: inputKey, salt: salt)
        }
        proof = try key.mac(.claimKey, of: transcript.array)
        self.key = key
        self.transcript = transcript
    }
}

extension ActivationSession {
    /// Used by the verifier to start the second step.
    package consuming func offering(
        _ offer: ActivationOffer
    ) throws(CryptographyFailure) -> EnrolmentSession {
        var message = FieldWriter(.activationTranscript)
        message.append(transcript)
        message.append(proof)
        message.append(offer.bytes)
        let mac = try key.mac(.offerKey, of: message.bytes)
        message.append(mac)
        return EnrolmentSession(
            offer: offer,
            offerMAC: mac,
            transcript: try message.sha256(),
            key: key
        )
    }

    /// Used by the device; nil if the MAC is wrong.
    ///
    /// The device then seals nothing.
    package consuming func accepting(
        _ offer: ActivationOffer,
        mac: Digest
    ) throws(CryptographyFailure) -> EnrolmentSession? {
        let session = try offering(offer)
        return session.offerMAC == mac ? consume session : nil
    }
}

extension SecureBytes {
    /// A subkey of 32 bytes.
    borrowing func subkey(_ info: FieldWriter) throws(CryptographyFailure) -> SecureBytes {
        let info = info.bytes
        return try HKDF.expand(from: self, info: info.span, byteCount: 32)
    }

    borrowing func mac(_ use: Label, of message: [UInt8]) throws(CryptographyFailure) -> Digest {
        try HMAC(.sha256, key: try subkey(FieldWriter(use))).authenticate(message.span)
    }
}
