import Cryptography

extension Secret {
    func keyedHMAC(_ algorithm: HMACAlgorithm) throws(SystemFailure) -> HMAC {
        do throws(CryptographyFailure) {
            return try withSecureBytes { key throws(CryptographyFailure) in
                try HMAC(algorithm.hash, key: key)
            }
        } catch {
            throw SystemFailure(error)
        }
    }
}

extension HMAC {
    mutating func setSecret(_ secret: Secret) throws(SystemFailure) {
        do throws(CryptographyFailure) {
            try secret.withSecureBytes { key throws(CryptographyFailure) in try setKey(key) }
        } catch {
            throw SystemFailure(error)
        }
    }

    /// The MAC under a key that is set already.
    func total(_ feed: (Input) throws(CryptographyFailure) -> Void) -> Digest {
        do throws(CryptographyFailure) {
            return try authenticate(feed)
        } catch {
            outOfMemory()
        }
    }

    /// The truncated MAC under a key that is set already.
    func truncatedTotal(of message: Span<UInt8>) -> UInt32 {
        do throws(CryptographyFailure) {
            return try truncatedMAC(of: message)
        } catch {
            outOfMemory()
        }
    }

    /// Under a key that is set, OpenSSL fails only where it finds no memory.
    ///
    /// The process ends then, as it does wherever Swift itself finds none.
    private func outOfMemory() -> Never {
        fatalError("OpenSSL found no memory to hash in.")
    }
}
