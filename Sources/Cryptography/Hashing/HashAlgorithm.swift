import COpenSSL

/// The hash functions that the supported standards use.
package enum HashAlgorithm: Sendable, CaseIterable {
    case sha1, sha256, sha512

    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    package func digest(of message: Span<UInt8>) throws(CryptographyFailure) -> Digest {
        try Digest(byteCount: byteCount) { output throws(CryptographyFailure) in
            try message.withCBytes { start, count throws(CryptographyFailure) in
                try OpenSSL.check(
                    EVP_Digest(start, count, output, nil, openSSLDigest, nil),
                    "EVP_Digest"
                )
            }
        }
    }

    /// Hashes a secret that is too short to be safe behind its hash.
    package func secretDigest(of secret: borrowing SecureBytes) throws(CryptographyFailure)
        -> SecureBytes
    {
        try SecureBytes(count: byteCount) { output throws(CryptographyFailure) in
            try OpenSSL.check(
                EVP_Digest(secret.address, secret.count, output, nil, openSSLDigest, nil),
                "EVP_Digest"
            )
        }
    }

    var openSSLDigest: OpaquePointer? {
        switch self {
        case .sha1: Self.fetchedSHA1
        case .sha256: Self.fetchedSHA256
        case .sha512: Self.fetchedSHA512
        }
    }

    // `EVP_sha256()` is fetched again at each use, which takes longer than a short hash. These
    // values never change and are never freed. If one is missing, every use of it fails.
    private nonisolated(unsafe) static let fetchedSHA1 = EVP_MD_fetch(nil, "SHA1", nil)
    private nonisolated(unsafe) static let fetchedSHA256 = EVP_MD_fetch(nil, "SHA256", nil)
    private nonisolated(unsafe) static let fetchedSHA512 = EVP_MD_fetch(nil, "SHA512", nil)

    /// OpenSSL's name, null-terminated, for parameter lists.
    var openSSLName: StaticString {
        switch self {
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512: "SHA512"
        }
    }
}
