import HTTPClient
import TransactionApproval

/// The TLS keys that a server may use, in addition to a trusted certificate.
public struct PinnedServer: Sendable {
    let origin: ServerOrigin
    let keys: [PublicKeyPin]

    /// Takes `https://host`, and for each key the base64 of the SHA-256 of its
    /// `SubjectPublicKeyInfo` (RFC 7469, section 2.4).
    ///
    /// At least two keys are required. Store the second as a backup: without one, the loss of the
    /// first key locks out all apps.
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
    /// Replaces the pinned keys of all servers, in memory only.
    ///
    /// Call it at each start, before the first operation.
    public func configurePinning(_ servers: [PinnedServer]) throws(AuthenticationError) {
        transport = try transport.pinning(servers)
    }
}

extension ServerOrigin {
    fileprivate var isSecure: Bool { text.hasPrefix("https:") }
}
