import Cryptography

extension Secret {
    func keyedHMAC(_ algorithm: HMACAlgorithm) throws(MachineFailure) -> HMAC {
        do throws(CryptographyFailure) {
            return try withSecureBytes { key throws(CryptographyFailure) in
                try HMAC(algorithm.hash, key: key)
            }
        } catch {
            throw MachineFailure(error)
        }
    }
}

extension HMAC {
    mutating func setSecret(_ secret: Secret) throws(MachineFailure) {
        do throws(CryptographyFailure) {
            try secret.withSecureBytes { key throws(CryptographyFailure) in try setKey(key) }
        } catch {
            throw MachineFailure(error)
        }
    }

    /// The MAC under a key that is set already.
    ///
    /// OpenSSL can fail here only where it finds no memory; the process ends then as it does at
    /// every other allocation of Swift's.
    @inline(__always)
    func total(_ feed: (Input) throws(CryptographyFailure) -> Void) -> Digest {
        do throws(CryptographyFailure) {
            return try authenticate(feed)
        } catch {
            fatalError("HMAC: out of memory")
        }
    }
}
