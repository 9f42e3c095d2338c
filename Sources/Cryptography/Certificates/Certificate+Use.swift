import COpenSSL

extension Certificate {
    /// A use of a key that its certificate can forbid.
    package enum Use: Sendable {
        case server, client, signature
    }

    /// Returns whether the key of this certificate signed the other one, as that of a CA.
    package func issued(_ other: Certificate) -> Bool {
        defer { OpenSSL.forgetErrors() }
        let (own, other) = (handle.pointer, other.handle.pointer)
        return X509_check_issued(own, other) == X509_V_OK
            && X509_verify(other, X509_get0_pubkey(own)) == 1
    }

    /// Returns whether the key usage and the extended key usage permit this use.
    ///
    /// A certificate without these extensions may be used for everything.
    package func permits(_ use: Use) -> Bool {
        defer { OpenSSL.forgetErrors() }
        let certificate = handle.pointer
        return switch use {
        case .server: X509_check_purpose(certificate, X509_PURPOSE_SSL_SERVER, 0) == 1
        case .client: X509_check_purpose(certificate, X509_PURPOSE_SSL_CLIENT, 0) == 1
        // Without the extension, OpenSSL returns a number with all bits set.
        case .signature: X509_get_key_usage(certificate) & UInt32(KU_DIGITAL_SIGNATURE) != 0
        }
    }
}
