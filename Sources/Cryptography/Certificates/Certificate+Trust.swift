import COpenSSL

extension Certificate {
    /// Throws for keys of every other kind.
    package func publicKey() throws(CryptographyFailure) -> PublicKey {
        defer { OpenSSL.forgetErrors() }
        guard let key = X509_get_pubkey(handle.pointer) else { throw .invalidCertificate }
        return try PublicKey(KeyHandle(key))
    }

    /// NIST SP 800-57: 112 bits, so RSA of 2048 bits and SHA-256, but not SHA-1.
    private static let securityLevel: Int32 = 2

    /// Returns whether this certificate may sign, and a chain of valid ones leads to `anchor`.
    ///
    /// `anchor` is the only trusted certificate; the chain may use any of `intermediates`. Each
    /// certificate must be valid at `seconds` since 1970, with keys and hashes of 112 bits. There
    /// is no check of revocation.
    ///
    /// Only a certificate for signatures may sign. `anchor` itself and every other CA certificate
    /// are refused. An extended key usage is refused unless it permits any purpose. So the key of a
    /// TLS certificate of the same CA signs nothing that is accepted here.
    package func isTrusted(
        below anchor: Certificate,
        through intermediates: [Certificate],
        at seconds: Int64
    ) throws(CryptographyFailure) -> Bool {
        try refusal(below: [anchor], through: intermediates) { parameters in
            X509_VERIFY_PARAM_set_time(parameters, time_t(seconds))
            X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        } == nil && maySign && der != anchor.der
    }

    /// Why a server with TLS refuses this certificate of a client now; nil if it accepts it.
    ///
    /// `authorities` are the CA certificates of the server. The client sends the `intermediates`.
    package func refusal(
        ofClientBelow authorities: [Certificate],
        through intermediates: [Certificate]
    ) throws(CryptographyFailure) -> String? {
        try refusal(below: authorities, through: intermediates) { parameters in
            X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_CLIENT)
        }
    }

    /// Each of the `anchors` can be an intermediate certificate of a larger hierarchy.
    private func refusal(
        below anchors: [Certificate],
        through intermediates: [Certificate],
        _ setRules: (OpaquePointer?) -> Void
    ) throws(CryptographyFailure) -> String? {
        defer { OpenSSL.forgetErrors() }
        let store = try OpenSSL.check(X509_STORE_new(), "X509_STORE_new")
        defer { X509_STORE_free(store) }
        for anchor in anchors {
            try OpenSSL.check(
                X509_STORE_add_cert(store, anchor.handle.pointer),
                "X509_STORE_add_cert"
            )
        }
        let stack = try OpenSSL.check(OPENSSL_sk_new_null(), "OPENSSL_sk_new_null")
        // The stack does not own its certificates.
        defer { withExtendedLifetime(intermediates) { OPENSSL_sk_free(stack) } }
        for intermediate in intermediates {
            let pushed = OPENSSL_sk_push(stack, UnsafeRawPointer(intermediate.handle.pointer))
            try OpenSSL.check(pushed > 0, "OPENSSL_sk_push")
        }
        let context = try OpenSSL.check(X509_STORE_CTX_new(), "X509_STORE_CTX_new")
        defer { X509_STORE_CTX_free(context) }
        try OpenSSL.check(
            X509_STORE_CTX_init(context, store, handle.pointer, stack),
            "X509_STORE_CTX_init"
        )
        let parameters = X509_STORE_CTX_get0_param(context)
        setRules(parameters)
        try OpenSSL.check(
            X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN)),
            "X509_VERIFY_PARAM_set_flags"
        )
        guard X509_verify_cert(context) != 1 else { return nil }
        let error = X509_STORE_CTX_get_error(context)
        return String(cString: X509_verify_cert_error_string(Int(error)))
    }

    /// A certificate without the extensions for this may be used for everything.
    private var maySign: Bool {
        // Without the extension, OpenSSL returns a number with all bits set.
        let purposes = X509_get_extended_key_usage(handle.pointer)
        return permits(.signature) && purposes & UInt32(XKU_ANYEKU) != 0
            && X509_check_ca(handle.pointer) == 0
    }
}
