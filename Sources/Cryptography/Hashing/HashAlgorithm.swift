import COpenSSL

/// The hash functions that the standards this package follows ask for.
package enum HashAlgorithm: Sendable, CaseIterable {
    case sha1, sha256, sha512

    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// Hashes the whole message at once.
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

    /// Hashes a secret too short to hide behind its hash.
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

    // What `EVP_sha256()` gives is fetched anew at each use, which takes longer than a short hash.
    // Nothing ever changes or frees these; where there is none, every use of it fails.
    private nonisolated(unsafe) static let fetchedSHA1 = EVP_MD_fetch(nil, "SHA1", nil)
    private nonisolated(unsafe) static let fetchedSHA256 = EVP_MD_fetch(nil, "SHA256", nil)
    private nonisolated(unsafe) static let fetchedSHA512 = EVP_MD_fetch(nil, "SHA512", nil)

    /// OpenSSL's name, null-terminated, for the places that take a parameter list.
    var openSSLName: StaticString {
        switch self {
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512: "SHA512"
        }
    }
}
