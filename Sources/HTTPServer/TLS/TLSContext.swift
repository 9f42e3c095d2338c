import COpenSSLTLS

/// The certificate, rules and session cache of a listener.
///
/// It accepts TLS 1.2 with ephemeral keys and AEAD, and TLS 1.3 (SEC-37). Sessions are cached here,
/// and tickets only name them: the key of self-contained tickets could decrypt recorded sessions.
final class TLSContext: Sendable {
    // OpenSSL allows threads to share a context after its setup.
    nonisolated(unsafe) private let context: OpaquePointer

    init(_ settings: TLSSettings) throws(ServerFailure) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .noTLS }
        self.context = context
        try setRules()
        try useCertificate(settings)
        if let path = settings.clientAuthoritiesFile { try requireCertificates(issuedBy: path) }
    }

    deinit {
        SSL_CTX_free(context)
    }

    /// For an accepted connection; nil if memory is short.
    ///
    /// The caller frees it.
    func session(on descriptor: CInt) -> OpaquePointer? {
        guard let session = SSL_new(context) else { return nil }
        guard SSL_set_fd(session, descriptor) == 1 else {
            SSL_free(session)
            return nil
        }
        SSL_set_accept_state(session)
        return session
    }

    private func setRules() throws(ServerFailure) {
        SSL_CTX_set_options(context, COUNTERSIGN_TLS_OPTIONS)
        countersign_set_modes(context)
        countersign_set_session_count(context, 4096)
        let name = Array("HTTPServer".utf8)
        guard
            countersign_set_minimum_version(context, TLS1_2_VERSION) == 1,
            SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1,
            countersign_set_groups(context, "X25519:P-256:P-384") == 1,
            SSL_CTX_set_num_tickets(context, 1) == 1,
            SSL_CTX_set_session_id_context(context, name, UInt32(name.count)) == 1
        else { throw .noTLS }
        SSL_CTX_set_alpn_select_cb(context, chooseProtocol, nil)
        // Otherwise OpenSSL prompts at the terminal for the password of a key.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
    }

    private func useCertificate(_ settings: TLSSettings) throws(ServerFailure) {
        let (certificate, key) = (settings.certificateFile, settings.keyFile)
        guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
            let isWeak = Self.weaknesses.contains(ERR_GET_REASON(ERR_peek_last_error()))
            throw isWeak
                ? .weakCertificate(path: certificate) : .unreadableCertificate(path: certificate)
        }
        ERR_clear_error()
        guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
            let isOther = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH
            throw isOther ? .otherKey(path: key) : .unusableKey(path: key)
        }
        // A key of another algorithm than the certificate's is noticed only here.
        guard SSL_CTX_check_private_key(context) == 1 else { throw .otherKey(path: key) }
    }

    /// The key of the certificate, and keys and signatures of its chain.
    private static let weaknesses = [
        SSL_R_EE_KEY_TOO_SMALL, SSL_R_CA_KEY_TOO_SMALL, SSL_R_CA_MD_TOO_WEAK,
    ]

    /// A resumed session would not show its certificate again, which may have expired.
    private func requireCertificates(issuedBy path: String) throws(ServerFailure) {
        guard
            SSL_CTX_load_verify_file(context, path) == 1,
            let names = SSL_load_client_CA_file(path)
        else { throw .unreadableAuthorities(path: path) }
        // An issuing CA can be named without its root, which may have other issuing CAs.
        X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
        SSL_CTX_set_client_CA_list(context, names)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        countersign_disable_sessions(context)
        guard SSL_CTX_set_num_tickets(context, 0) == 1 else { throw .noTLS }
    }
}

/// Selects HTTP/1.1, and rejects a client that offers only other protocols (RFC 7301).
private func chooseProtocol(
    _: OpaquePointer?,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredCount: UInt32,
    _: UnsafeMutableRawPointer?
) -> CInt {
    let offer = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var start = 0
    while start < offer.count {
        let end = start + 1 + Int(offer[start])
        guard end <= offer.count else { break }
        let name = UnsafeBufferPointer(rebasing: offer[start + 1..<end])
        if name.elementsEqual("http/1.1".utf8) {
            chosen?.pointee = name.baseAddress
            chosenCount?.pointee = UInt8(name.count)
            return SSL_TLSEXT_ERR_OK
        }
        start = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
