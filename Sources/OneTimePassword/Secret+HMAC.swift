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
    func total(_ feed: (Input) throws(CryptographyFailure) -> Void) -> Digest {
        orEndProcess { () throws(CryptographyFailure) in try authenticate(feed) }
    }

    /// The truncated MAC under a key that is set already.
    func truncatedTotal(of message: Span<UInt8>) -> UInt32 {
        orEndProcess { () throws(CryptographyFailure) in try truncatedMAC(of: message) }
    }
}

extension ForeignSecret {
    func digest(_ algorithm: HashAlgorithm) -> Digest {
        orEndProcess { () throws(CryptographyFailure) in
            try withBytes { bytes throws(CryptographyFailure) in try algorithm.digest(of: bytes) }
        }
    }
}

/// Hashes; OpenSSL can fail here only where it finds no memory.
///
/// The process ends then, as it does wherever Swift itself finds none.
@inline(__always)
private func orEndProcess<Result>(
    _ hash: () throws(CryptographyFailure) -> Result
) -> Result {
    do throws(CryptographyFailure) {
        return try hash()
    } catch {
        fatalError("OpenSSL found no memory to hash in.")
    }
}
