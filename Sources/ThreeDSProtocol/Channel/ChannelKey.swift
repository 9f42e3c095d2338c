package import Cryptography
import JOSE

/// The key that SDK and ACS agree on for one challenge, in secure memory.
package struct ChannelKey: ~Copyable, Sendable {
    private let bytes: SecureBytes

    package static let byteCount = 32

    /// Derives the key from an ephemeral key of each side.
    package init(
        own: P256.PrivateKey,
        other: P256.PublicKey,
        sdkReferenceNumber: String
    ) throws(ChannelFailure) {
        let secret = try orRefused(own.sharedSecret(with: other))
        let derivation = KeyDerivation.withoutParties(except: sdkReferenceNumber)
        bytes = try derivation.key(from: secret)
    }

    /// Takes a key that was stored.
    package init(restoring bytes: consuming SecureBytes) throws(ChannelFailure) {
        guard bytes.count == Self.byteCount else { throw .refused }
        self.bytes = bytes
    }

    /// The bytes to store, which must be encrypted before.
    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(body)
    }

    /// The key for messages of one side.
    ///
    /// In GCM mode the left half is the SDK's, and the right half is the ACS's. So both sides can
    /// count from zero.
    borrowing func part(
        for encryption: JWE.Encryption,
        from side: SecureChannel.Side
    ) throws(ChannelFailure) -> SecureBytes {
        try bytes.withBytes { bytes throws(ChannelFailure) in
            let part =
                switch (encryption, side) {
                case (.a128CBCHS256, _): bytes
                case (.a128GCM, .sdk): bytes.extracting(first: encryption.keyByteCount)
                case (.a128GCM, .acs): bytes.extracting(last: encryption.keyByteCount)
                }
            return try orRefused(SecureBytes(copying: part))
        }
    }
}

extension KeyDerivation {
    /// The inputs of EMV 3-D Secure, section 6.2.3: 256 bits with every cipher, and one name.
    ///
    /// RFC 7518 has the same function with other inputs.
    static func withoutParties(except partyVInfo: String) -> KeyDerivation {
        KeyDerivation(
            algorithmID: [],
            partyUInfo: [],
            partyVInfo: Array(partyVInfo.utf8),
            byteCount: ChannelKey.byteCount
        )
    }
}
