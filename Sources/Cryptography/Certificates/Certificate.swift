import COpenSSL
import Glibc

/// The validity period and the names of an X.509 certificate.
///
/// It makes no trust decision.
package struct Certificate: Sendable {
    package let begins: Int64
    package let ends: Int64
    private let der: [UInt8]

    /// Reads all certificates of a PEM text.
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
            while let certificate = PEM_read_bio_X509(memory, nil, nil, nil) {
                defer { X509_free(certificate) }
                certificates.append(try Certificate(certificate))
            }
            return certificates
        }
    }

    private init(_ certificate: OpaquePointer) throws(CryptographyFailure) {
        begins = try Self.seconds(X509_get0_notBefore(certificate))
        ends = try Self.seconds(X509_get0_notAfter(certificate))
        der = try Self.encoded(certificate)
    }

    /// Returns whether the certificate names this host or address (RFC 9525).
    package func names(_ host: String) throws(CryptographyFailure) -> Bool {
        let certificate = try der.withUnsafeBufferPointer { bytes throws(CryptographyFailure) in
            var start = bytes.baseAddress
            return try OpenSSL.check(d2i_X509(nil, &start, bytes.count), "d2i_X509")
        }
        defer { X509_free(certificate) }
        defer { OpenSSL.forgetErrors() }
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

    private static func encoded(_ certificate: OpaquePointer) throws(CryptographyFailure) -> [UInt8]
    {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &encoded)
        let start = try OpenSSL.check(count > 0 ? encoded : nil, "i2d_X509")
        defer { CRYPTO_free(start, #file, #line) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
