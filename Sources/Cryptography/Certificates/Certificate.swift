import COpenSSL
import Glibc

/// An X.509 certificate.
package struct Certificate: Sendable {
    package let begins: Int64
    package let ends: Int64
    package let der: [UInt8]
    let handle: CertificateHandle

    /// Reads all certificates of a PEM text, or throws if one of them is unreadable.
    ///
    /// In a chain, the first one is the server's own certificate.
    package static func all(
        inPEM pem: [UInt8]
    ) throws(CryptographyFailure) -> [Certificate] {
        guard !pem.isEmpty else { return [] }
        // OpenSSL reads from the array itself, which must outlive the call.
        return try pem.withUnsafeBufferPointer { text throws(CryptographyFailure) in
            let memory = try OpenSSL.check(
                BIO_new_mem_buf(text.baseAddress, try OpenSSL.length(text.count)),
                "BIO_new_mem_buf"
            )
            defer { BIO_free(memory) }
            defer { OpenSSL.forgetErrors() }
            var certificates: [Certificate] = []
            // OpenSSL would ask the terminal for the password of an encrypted certificate.
            while let certificate = PEM_read_bio_X509(memory, nil, { _, _, _, _ in -1 }, nil) {
                certificates.append(try Certificate(CertificateHandle(certificate)))
            }
            guard OpenSSL.isAtEndOfPEM else {
                throw OpenSSL.lackOfMemory("PEM_read_bio_X509") ?? .invalidCertificate
            }
            return certificates
        }
    }

    /// Reads one certificate in DER, without further bytes.
    package init(der: Span<UInt8>) throws(CryptographyFailure) {
        defer { OpenSSL.forgetErrors() }
        let certificate = der.withCBytes { start, count in
            var next: UnsafePointer<UInt8>? = start
            return d2i_X509(nil, &next, count)
        }
        guard
            let certificate,
            // Most failures are due to the input; it has a date of another form, for example.
            let read = try? Certificate(CertificateHandle(certificate)),
            read.der == der.array
        else { throw .invalidCertificate }
        self = read
    }

    private init(_ handle: CertificateHandle) throws(CryptographyFailure) {
        let certificate = handle.pointer
        self.handle = handle
        begins = try Self.seconds(X509_get0_notBefore(certificate))
        ends = try Self.seconds(X509_get0_notAfter(certificate))
        der = try Self.encoded("i2d_X509") { i2d_X509(certificate, &$0) }
    }

    /// Returns whether the certificate names this host or address (RFC 9525).
    package func names(_ host: String) -> Bool {
        defer { OpenSSL.forgetErrors() }
        let certificate = handle.pointer
        let flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
        return X509_check_host(certificate, host, host.utf8.count, UInt32(flags), nil) == 1
            || X509_check_ip_asc(certificate, host, 0) == 1
    }

    private static func seconds(
        _ time: UnsafePointer<ASN1_TIME>?
    ) throws(CryptographyFailure) -> Int64 {
        var parts = tm()
        try OpenSSL.check(ASN1_TIME_to_tm(time, &parts), "ASN1_TIME_to_tm")
        return Int64(timegm(&parts))
    }

    /// The DER that a function of OpenSSL writes.
    static func encoded(
        _ operation: StaticString,
        _ write: (inout UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws(CryptographyFailure) -> [UInt8] {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = write(&encoded)
        let start = try OpenSSL.check(count > 0 ? encoded : nil, operation)
        defer { CRYPTO_free(start, #file, #line) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}

/// One certificate of OpenSSL, freed with its last reference.
///
/// `@unchecked`: OpenSSL locks what it caches in a certificate.
final class CertificateHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of a certificate that OpenSSL created.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        X509_free(pointer)
    }
}
