import COpenSSLTLS

/// The TLS session of one connection; the first reads do the handshake.
final class TLSSession {
    let descriptor: CInt
    private let session: OpaquePointer

    /// The session is freed with this value.
    init(_ session: OpaquePointer, _ descriptor: CInt) {
        self.session = session
        self.descriptor = descriptor
    }

    deinit {
        SSL_free(session)
    }

    var isReady: Bool { SSL_is_init_finished(session) == 1 }

    /// The client's verified certificate in DER.
    var peerCertificate: [UInt8]? {
        guard let certificate = SSL_get1_peer_certificate(session) else { return nil }
        defer { X509_free(certificate) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, #file, #line) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    func read(into buffer: inout [UInt8]) -> Transport.Outcome {
        // An error that an earlier call left would be taken for this one's.
        ERR_clear_error()
        return outcome(SSL_read(session, &buffer, CInt(clamping: buffer.count)))
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Transport.Outcome {
        ERR_clear_error()
        return outcome(SSL_write(session, bytes.baseAddress, CInt(clamping: bytes.count)))
    }

    /// Sends the closing alert, so that the client can detect truncation.
    func finish() {
        ERR_clear_error()
        if isReady { SSL_shutdown(session) }
    }

    private func outcome(_ count: CInt) -> Transport.Outcome {
        guard count <= 0 else { return .moved(Int(count)) }
        return switch SSL_get_error(session, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: .blocked
        default: .ended
        }
    }
}
