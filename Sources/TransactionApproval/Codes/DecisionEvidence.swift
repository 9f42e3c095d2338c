package import Cryptography
import OneTimePassword

/// What the device key signs of a decision, for the verifier to keep.
///
/// The signature of the request is no evidence: it covers the code and the blind bytes, which nobody
/// keeps. In here is neither the code nor the typed number, nor anything that a PIN changes.
package struct DecisionEvidence: Equatable, Sendable {
    fileprivate let bytes: [UInt8]

    package init(
        of choice: DecisionExchange.Choice,
        on transaction: TransactionHash,
        by device: DeviceID,
        _ envelope: CodeEnvelope
    ) {
        var message = FieldWriter(.decisionEvidence)
        message.append(device)
        message.append(transaction.bytes)
        message.append(choice.decision.byte)
        message.append(choice.credentialKind.rawValue)
        message.append(envelope.generation)
        message.append(envelope.epoch)
        message.append(envelope.counter.value)
        bytes = message.bytes
    }

    package func signature(
        by key: P256.PrivateKey
    ) throws(CryptographyFailure) -> P256.Signature {
        try key.signature(for: bytes.span)
    }

    /// Nil where the signature is not the key's over this.
    package func signed(
        with signature: P256.Signature,
        by key: P256.PublicKey
    ) throws(CryptographyFailure) -> SignedEvidence? {
        guard try key.isValid(signature, for: bytes.span) else { return nil }
        return SignedEvidence(evidence: self, signature: signature, key: key)
    }
}

/// Evidence whose signature was found good: only `DecisionEvidence` makes it.
package struct SignedEvidence: Equatable, Sendable {
    package let evidence: DecisionEvidence
    private let signature: P256.Signature
    /// Whose it was found to be; that this is the device's is for the verifier to say.
    package let key: P256.PublicKey

    fileprivate init(
        evidence: DecisionEvidence,
        signature: P256.Signature,
        key: P256.PublicKey
    ) {
        self.evidence = evidence
        self.signature = signature
        self.key = key
    }

    /// The signature's 64 bytes, then the message that it signs: all that a judge needs but the key.
    package var stored: [UInt8] { signature.raw + evidence.bytes }
}
