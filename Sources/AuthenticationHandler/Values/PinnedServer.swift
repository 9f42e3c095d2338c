import HTTPClient
import TransactionApproval

/// The keys that a verifier may show in TLS, beside a certificate that is trusted.
public struct PinnedServer: Sendable {
    let origin: ServerOrigin
    let keys: [PublicKeyPin]

    /// Takes `https://host`, and for each key the base64 of the SHA-256 of its
    /// `SubjectPublicKeyInfo` (RFC 7469, section 2.4).
    ///
    /// There are two at least. The second is a backup, which lies somewhere safe until the first is
    /// lost: without one, that day would lock every app out.
    public init(origin: String, keys: [String]) throws(AuthenticationError) {
        let pins = keys.compactMap { PublicKeyPin(sha256: $0) }
        guard
            let origin = ServerOrigin(origin), origin.isSecure, pins.count == keys.count,
            pins.contains(where: { $0 != pins[0] })
        else { throw AuthenticationError(.invalidArgument, cause: "a server's origin or pins") }
        self.origin = origin
        self.keys = pins
    }
}

extension AuthenticationHandler {
    /// Talks to these servers only where they have one of their pinned keys, from now on and in the
    /// place of all that was pinned before.
    public func configurePinning(_ servers: [PinnedServer]) throws(AuthenticationError) {
        transport = try transport.pinning(servers)
    }
}

extension ServerOrigin {
    fileprivate var isSecure: Bool { text.hasPrefix("https:") }
}
