/// A handshake that ended because of the client's certificate, or because it has none.
package struct CertificateRefusal: Equatable, Sendable {
    /// In OpenSSL's words.
    package let reason: String
    /// The IP address of the client.
    package let address: String

    package init(reason: String, address: String) {
        (self.reason, self.address) = (reason, address)
    }
}
