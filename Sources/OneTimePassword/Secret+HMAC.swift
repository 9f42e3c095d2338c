import Cryptography
import FailureTranslation

extension Secret {
    func keyedHMAC(_ algorithm: HMACAlgorithm) throws(SystemFailure) -> HMAC {
        try translating(
            withSecureBytes { key throws(CryptographyFailure) in
                try HMAC(algorithm.hash, key: key)
            },
            to: SystemFailure.init(_:)
        )
    }
}

extension HMAC {
    mutating func setSecret(_ secret: Secret) throws(SystemFailure) {
        try translating(
            secret.withSecureBytes { key throws(CryptographyFailure) in try setKey(key) },
            to: SystemFailure.init(_:)
        )
    }

    /// The MAC with the current key.
    func total(_ feed: (Input) throws(CryptographyFailure) -> Void) -> Digest {
        do throws(CryptographyFailure) {
            return try authenticate(feed)
        } catch {
            outOfMemory()
        }
    }

    /// The truncated MAC with the current key.
    func truncatedTotal(of message: Span<UInt8>) -> UInt32 {
        do throws(CryptographyFailure) {
            return try truncatedMAC(of: message)
        } catch {
            outOfMemory()
        }
    }

    /// With a key set, OpenSSL fails only if memory runs out.
    ///
    /// Then the process ends, as Swift itself does when memory runs out.
    private func outOfMemory() -> Never {
        fatalError("OpenSSL could not allocate memory for a hash.")
    }
}
