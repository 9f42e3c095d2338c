package import Cryptography
import OneTimePassword

/// What the device key signs of a decision, for the verifier to keep.
///
/// The signature of the request is no evidence: it covers the code and the blind bytes, which nobody
/// keeps. In here is neither the code nor the typed number, nor anything that a PIN changes.
package struct DecisionEvidence: Sendable {
    private let bytes: [UInt8]

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

    package func isSigned(
        _ signature: P256.Signature,
        by key: P256.PublicKey
    ) throws(CryptographyFailure) -> Bool {
        try key.isValid(signature, for: bytes.span)
    }
}
