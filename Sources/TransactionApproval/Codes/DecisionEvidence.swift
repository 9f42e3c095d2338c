package import Cryptography
import OneTimePassword

/// The part of a decision that the device key signs and the verifier keeps.
///
/// The signature of the request is not evidence, because it covers the code and `blind`, which are
/// never stored. This message depends on neither PIN, code nor typed number.
package struct DecisionEvidence: Equatable, Sendable {
    fileprivate let bytes: [UInt8]

    package init(
        of choice: DecisionExchange.Choice,
        on transaction: TransactionHash,
        by device: DeviceID,
        _ envelope: CodeEnvelope
    ) {
        var message = Self.beginning(of: choice, on: transaction, by: device)
        message.append(envelope.generation)
        message.append(envelope.epoch)
        message.append(envelope.counter.value)
        bytes = message.bytes
    }

    private static func beginning(
        of choice: DecisionExchange.Choice,
        on transaction: TransactionHash,
        by device: DeviceID
    ) -> FieldWriter {
        var message = FieldWriter(.decisionEvidence)
        message.append(device)
        message.append(transaction.bytes)
        message.append(choice.decision.byte)
        message.append(choice.credentialKind.rawValue)
        return message
    }

    /// Whether stored evidence proves this decision, with a signature by the device's key.
    package static func isProven(
        by stored: [UInt8],
        _ choice: DecisionExchange.Choice,
        on transaction: TransactionHash,
        by device: DeviceID,
        _ key: P256.PublicKey
    ) throws(CryptographyFailure) -> Bool {
        let message = Array(stored.dropFirst(P256.signatureByteCount))
        guard
            message.starts(with: beginning(of: choice, on: transaction, by: device).bytes),
            let signature = try? P256.Signature(
                raw: stored.span.extracting(first: P256.signatureByteCount)
            )
        else { return false }
        return try key.isValid(signature, for: message.span)
    }

    package func signature(
        by key: P256.PrivateKey
    ) throws(CryptographyFailure) -> P256.Signature {
        try key.signature(for: bytes.span)
    }

    /// Nil if the signature is not valid for this key.
    package func signed(
        with signature: P256.Signature,
        by key: P256.PublicKey
    ) throws(CryptographyFailure) -> SignedEvidence? {
        guard try key.isValid(signature, for: bytes.span) else { return nil }
        return SignedEvidence(evidence: self, signature: signature, key: key)
    }
}

/// Evidence with a verified signature; only `DecisionEvidence` creates it.
package struct SignedEvidence: Equatable, Sendable {
    package let evidence: DecisionEvidence
    private let signature: P256.Signature
    /// The key that was verified.
    ///
    /// The caller must check that it is the device's key.
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

    /// The signature (64 bytes) and the signed message: an auditor needs only the key in addition.
    package var stored: [UInt8] { signature.raw + evidence.bytes }
}
