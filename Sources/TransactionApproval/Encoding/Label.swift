package import Cryptography

/// The purpose of hashed, signed or sealed data and of derived keys; always the first field.
///
/// The compiler rejects a duplicate, so data of one purpose is never valid for another. A change of
/// the form behind a label needs a new number.
package enum Label: String, CaseIterable, Sendable {
    // Subkeys of a seed.
    case hotpKey = "countersign hotp-key 1"
    case ocraKey = "countersign ocra-key 1"
    case rekeyMixingKey = "countersign rekey-mixing-key 1"

    // Questions of codes.
    case decision = "countersign decision 1"
    case login = "countersign login 1"
    case pinCheck = "countersign pin-check 1"
    case rekey = "countersign rekey 1"
    case typedData = "countersign typed-data 1"

    // Evidence of a decision.
    case decisionEvidence = "countersign decision-evidence 1"

    // Activation.
    case activationCodeCheck = "countersign activation-code-check 1"
    case activationClaim = "countersign activation-claim 1"
    case devicePolicy = "countersign device-policy 2"
    case activationOffer = "countersign activation-offer 1"
    case activationTranscript = "countersign activation-transcript 1"
    case devicePossession = "countersign device-possession 1"
    case activationReceipt = "countersign activation-receipt 1"
    case claimKey = "countersign claim-key 1"
    case offerKey = "countersign offer-key 1"
    case activationSeed = "countersign activation-seed 1"
    case activationSeedKey = "countersign activation-seed-key 1"
    case receiptKey = "countersign receipt-key 1"

    // Rekey.
    case rekeyProposal = "countersign rekey-proposal 1"
    case rekeyTranscript = "countersign rekey-transcript 1"
    case rekeySeedKey = "countersign rekey-seed-key 1"

    // Key rotation.
    case agreementKeyAnnouncement = "countersign agreement-key-announcement 1"

    // Used by the device only.
    case credentialSeed = "countersign credential-seed 1"
    case vaultRecord = "countersign vault-record 1"
}

extension FieldWriter {
    package init(_ label: Label) {
        self.init()
        append(label.rawValue)
    }

    package mutating func append(_ digest: Digest) { append(digest.array) }

    package mutating func append(_ key: P256.PublicKey) { append(key.uncompressedPoint) }

    package func sha256() throws(CryptographyFailure) -> Digest {
        let message = bytes
        return try HashAlgorithm.sha256.digest(of: message.span)
    }
}

extension Digest {
    /// Nil unless there are 32 bytes.
    package init?(sha256 bytes: [UInt8]) {
        guard bytes.count == HashAlgorithm.sha256.byteCount else { return nil }
        self.init(copying: bytes.span)
    }
}
