/// Files in PEM for a listener with TLS.
package struct TLSSettings: Equatable, Sendable {
    /// The server certificate, followed by its chain.
    package let certificateFile: String
    package let keyFile: String
    /// CA certificates, one of which must be in the chain of the client's; nil for none.
    package let clientAuthoritiesFile: String?

    package init(certificateFile: String, keyFile: String, clientAuthoritiesFile: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.clientAuthoritiesFile = clientAuthoritiesFile
    }

    /// Loads the files as the start of a server does.
    package func check() throws(ServerFailure) {
        _ = try TLSContext(self)
    }
}
