import ServerOperation
import ThreeDSIssuer

/// The directory server of a scheme, with the files for both directions.
struct DirectoryConnection: Sendable {
    /// The identifier as text, for messages and logs.
    let rid: String
    let directory: CardDirectory
    /// The file with the client certificates of the directory server.
    let clients: String
    /// The URL for the results of challenges.
    let results: String
    /// How long the response to a result takes at most.
    let responseTime: Duration
    /// CA certificates of `results` in PEM.
    ///
    /// Those of the system would also accept a stranger who has a certificate for the same name.
    let authorities: String
    /// The certificate of the ACS as a client, and its key.
    let client: TLSFiles
    let signing: Signing
    /// The image of the scheme.
    let logo: Logo?

    /// The files for the signature of the content that an app receives.
    struct Signing: Sendable {
        let key: String
        /// The chain of the key, its own certificate first.
        let certificates: String
    }
}
