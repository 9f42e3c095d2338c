import COpenSSL

extension Certificate {
    /// A use of a key that its certificate can forbid.
    package enum Use: Sendable {
        case server, client, signature
    }

    /// Whether the certificate is one of a CA, by its basic constraints.
    package var isOfAuthority: Bool {
        defer { OpenSSL.forgetErrors() }
        return X509_check_ca(handle.pointer) == 1
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
