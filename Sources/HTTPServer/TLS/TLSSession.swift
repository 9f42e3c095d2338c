import COpenSSLTLS
import Glibc

/// The TLS session of one connection; the first reads do the handshake.
///
/// OpenSSL's session begins with the client's first byte: until then, a silent client costs little
/// memory.
final class TLSSession {
    let descriptor: CInt
    private let context: TLSContext
    private var session: OpaquePointer?
    /// The records since the last one that contained data.
    private var recordsWithoutData = 0
    private var hasFailed = false
    /// Why the handshake rejected the client's certificate, in OpenSSL's words; nil if it did not.
    private(set) var certificateRefusal: String?

    init(_ context: TLSContext, _ descriptor: CInt) {
        self.context = context
        self.descriptor = descriptor
    }

    deinit {
        SSL_free(session)
    }

    var isReady: Bool {
        if let session { SSL_is_init_finished(session) == 1 } else { false }
    }

    /// The client's verified certificate in DER.
    var peerCertificate: [UInt8]? {
        guard let session, let certificate = SSL_get1_peer_certificate(session) else { return nil }
        defer { X509_free(certificate) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, #file, #line) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    func read(into buffer: inout [UInt8]) -> Transport.Outcome {
        if session == nil {
            let first = Transport.Outcome(recv(descriptor, &buffer, 1, CInt(MSG_PEEK)))
            guard case .moved = first else { return first }
            session = context.session(on: descriptor)
            if let session { count(recordsOf: session) }
        }
        guard let session else { return .ended }
        // An error that an earlier call left would be taken for this one's.
        ERR_clear_error()
        let count = SSL_read(session, &buffer, CInt(clamping: buffer.count))
        if count > 0 { recordsWithoutData = 0 }
        return outcome(count, in: session)
    }

    /// More than a handshake needs.
    private static let maximumRecordsWithoutData = 128

    /// Counts the records, because OpenSSL reads on until one contains data.
    ///
    /// Without a maximum, a client that sends only updates of keys would keep the thread for itself.
    private func count(recordsOf session: OpaquePointer) {
        SSL_set_msg_callback(session) { isSent, _, type, _, _, session, own in
            guard isSent == 0, type == SSL3_RT_HEADER, let session, let own else { return }
            let this = Unmanaged<TLSSession>.fromOpaque(own).takeUnretainedValue()
            this.recordsWithoutData += 1
            guard this.recordsWithoutData > TLSSession.maximumRecordsWithoutData else { return }
            // Nothing more can be read, so OpenSSL returns with an error.
            BIO_int_ctrl(SSL_get_rbio(session), BIO_C_SET_FD, CLong(BIO_NOCLOSE), -1)
        }
        let this = Unmanaged.passUnretained(self).toOpaque()
        SSL_ctrl(session, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, this)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Transport.Outcome {
        guard let session else { return .ended }
        ERR_clear_error()
        let count = SSL_write(session, bytes.baseAddress, CInt(clamping: bytes.count))
        return outcome(count, in: session)
    }

    /// Sends the closing alert, so that the client can detect truncation.
    func finish() {
        ERR_clear_error()
        if let session, isReady { SSL_shutdown(session) }
    }

    /// Without it, OpenSSL forgets a session that ends before the closing alert is sent.
    ///
    /// Most clients close first. A session with a fatal error is never resumed.
    func keepForResumption() {
        guard let session, isReady, !hasFailed else { return }
        SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    }

    private func outcome(_ count: CInt, in session: OpaquePointer) -> Transport.Outcome {
        guard count <= 0 else { return .moved(Int(count)) }
        return switch SSL_get_error(session, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: .blocked
        case SSL_ERROR_ZERO_RETURN: .ended
        default: failed(session)
        }
    }

    private func failed(_ session: OpaquePointer) -> Transport.Outcome {
        hasFailed = true
        let result = SSL_get_verify_result(session)
        if ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE {
            certificateRefusal = "no certificate"
        } else if result != Int(X509_V_OK) {
            certificateRefusal = String(cString: X509_verify_cert_error_string(result))
        }
        return .ended
    }
}
