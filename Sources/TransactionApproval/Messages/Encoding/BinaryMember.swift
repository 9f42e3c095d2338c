package import Cryptography

/// Bytes that JSON contains as base64url without padding.
///
/// Keys, ciphertexts, signatures, digests and canonical forms: nothing that is signed or displayed
/// is built from JSON members.
package protocol BinaryMember: Codable {
    init?(wireBytes: [UInt8])

    var wireBytes: [UInt8] { get }
}

extension BinaryMember {
    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { text in
            // The position of the error does not matter.
            (try? TextEncoding.base64URL.decode(text)).flatMap(Self.init(wireBytes:))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        let bytes = wireBytes
        try encoder.write(TextEncoding.base64URL.encode(bytes.span))
    }
}

// The reason does not matter to the reader of a message: `try?` below.

extension P256.PublicKey: BinaryMember {
    package init?(wireBytes: [UInt8]) {
        guard let key = try? P256.PublicKey(uncompressedPoint: wireBytes.span) else { return nil }
        self = key
    }

    package var wireBytes: [UInt8] { uncompressedPoint }
}

extension P256.Signature: BinaryMember {
    package init?(wireBytes: [UInt8]) {
        guard let signature = try? P256.Signature(raw: wireBytes.span) else { return nil }
        self = signature
    }

    package var wireBytes: [UInt8] { raw }
}

extension Digest: BinaryMember {
    package init?(wireBytes: [UInt8]) { self.init(sha256: wireBytes) }

    package var wireBytes: [UInt8] { array }
}

extension SealedSeed: BinaryMember {
    package init?(wireBytes: [UInt8]) {
        let nonceCount = AESGCM.nonceByteCount
        guard let nonce = SealingNonce(Array(wireBytes.prefix(nonceCount))) else { return nil }
        self.init(nonce: nonce, ciphertext: Array(wireBytes.dropFirst(nonceCount)))
    }

    package var wireBytes: [UInt8] { nonce.bytes + ciphertext }
}

extension ActivationOffer: BinaryMember {
    package init?(wireBytes: [UInt8]) { self.init(wireBytes) }

    package var wireBytes: [UInt8] { bytes }
}

extension DevicePolicy: BinaryMember {
    package init?(wireBytes: [UInt8]) { self.init(wireBytes) }

    package var wireBytes: [UInt8] { bytes }
}

extension Transaction: BinaryMember {
    package init?(wireBytes: [UInt8]) {
        guard let transaction = try? Transaction(canonicalBytes: wireBytes) else { return nil }
        self = transaction
    }

    package var wireBytes: [UInt8] { canonicalBytes }
}
