package import Cryptography

/// The address of one browser at its push service, and the keys for its messages (RFC 8030, 8291).
///
/// Its holder can notify the browser.
package struct WebPushSubscription: Equatable, Sendable {
    /// Those of today's push services have at most 600 bytes.
    package static let maximumEndpointByteCount = 2048
    package static let secretByteCount = 16

    /// An `https://` URL without a user or fragment.
    package let endpoint: String
    /// That of the push service: the audience of VAPID (RFC 8292).
    package let origin: ServerOrigin
    /// The browser's key for the encryption of messages.
    package let key: P256.PublicKey
    /// Shared with the browser only.
    package let secret: [UInt8]

    /// Nil if a part breaks its rule.
    package init?(endpoint: String, key: P256.PublicKey, secret: [UInt8]) {
        guard
            let origin = Self.origin(of: endpoint), secret.count == Self.secretByteCount,
            endpoint.utf8.count <= Self.maximumEndpointByteCount
        else { return nil }
        (self.endpoint, self.origin, self.key, self.secret) = (endpoint, origin, key, secret)
    }

    /// The host of the push service, with a port unless it is 443.
    package var host: String { String(origin.text.dropFirst(Self.scheme.count)) }

    private static let scheme = "https://"

    /// Nil unless the URL has only parts that push services use.
    ///
    /// All parsers of URLs read this spelling of a host alike. So the host that is compared with the
    /// configuration is the one that is called.
    private static func origin(of endpoint: String) -> ServerOrigin? {
        guard endpoint.hasPrefix(scheme), endpoint.utf8.allSatisfy(isURLCharacter) else {
            return nil
        }
        let rest = endpoint.dropFirst(scheme.count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        return ServerOrigin(String(endpoint[..<slash]))
    }

    private static func isURLCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Array("-._~:/?=&%+,;!$'()*@".utf8).contains(byte)
        }
    }
}

/// In JSON `{"endpoint":"https://…","key":…,"secret":…}`, the last two as base64url.
extension WebPushSubscription: Codable {
    private enum CodingKeys: CodingKey {
        case endpoint, key, secret
    }

    private struct Secret: BinaryMember {
        let wireBytes: [UInt8]

        init(_ bytes: [UInt8]) { wireBytes = bytes }

        init?(wireBytes: [UInt8]) { self.init(wireBytes) }
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard
            let subscription = Self(
                endpoint: try members.decode(String.self, forKey: .endpoint),
                key: try members.decode(P256.PublicKey.self, forKey: .key),
                secret: try members.decode(Secret.self, forKey: .secret).wireBytes
            )
        else { throw DecodingError.refused(in: decoder) }
        self = subscription
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(endpoint, forKey: .endpoint)
        try members.encode(key, forKey: .key)
        try members.encode(Secret(secret), forKey: .secret)
    }
}

extension WebPushSubscription: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
