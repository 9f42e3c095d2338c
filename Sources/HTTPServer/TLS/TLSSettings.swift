/// What a listener with TLS needs, in files of PEM.
package struct TLSSettings: Equatable, Sendable {
    /// The server's certificate, and after it those that lead to a root.
    package let certificateFile: String
    package let keyFile: String
    /// Who issues client certificates; nil where clients are not asked for any.
    ///
    /// A client may come without one, and is turned away with one that nobody here issued.
    package let clientAuthoritiesFile: String?

    package init(certificateFile: String, keyFile: String, clientAuthoritiesFile: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.clientAuthoritiesFile = clientAuthoritiesFile
    }
}
