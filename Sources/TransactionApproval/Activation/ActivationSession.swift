package import Cryptography

/// The key that device and server agree on in an activation, out of ECDH and the code.
///
/// The server has none before it has seen the proof: nothing that depends on the code can leave it
/// earlier. Neither side keeps one between the steps.
package struct ActivationSession: ~Copyable, Sendable {
    private let key: SecureBytes
    private let transcript: Digest
    /// Shows that the sender of the claim knows the code.
    package let proof: Digest

    /// The device's side.
    package init(
        _ claim: ActivationClaim,
        ephemeral: P256.PrivateKey,
        server: P256.PublicKey,
        code: borrowing ActivationCode
    ) throws(CryptographyFailure) {
        try self.init(claim, agreed: try ephemeral.sharedSecret(with: server), code: code)
    }

    /// The server's side; nil where the proof does not hold.
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
    /// The server's side: goes over to the second step under `offer`.
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

    /// The device's side; nil where the MAC does not hold, and nothing is to be sealed then.
    package consuming func accepting(
        _ offer: ActivationOffer,
        mac: Digest
    ) throws(CryptographyFailure) -> EnrolmentSession? {
        let session = try offering(offer)
        return session.offerMAC == mac ? consume session : nil
    }
}

extension SecureBytes {
    /// 32 bytes for one use of this key.
    borrowing func subkey(_ info: FieldWriter) throws(CryptographyFailure) -> SecureBytes {
        let info = info.bytes
        return try HKDF.expand(from: self, info: info.span, byteCount: 32)
    }

    /// The HMAC-SHA-256 under the subkey of one use.
    borrowing func mac(_ use: Label, of message: [UInt8]) throws(CryptographyFailure) -> Digest {
        try HMAC(.sha256, key: try subkey(FieldWriter(use))).authenticate(message.span)
    }
}
