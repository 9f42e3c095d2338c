import Cryptography

/// A challenge message that a browser carries, with the session data of the requestor.
package struct ChallengeForm: Sendable {
    /// The JSON text of the CReq or CRes.
    package let message: [UInt8]
    /// Opaque: returned as it came, and never logged.
    package let sessionData: String?

    package init(message: [UInt8], sessionData: String?) {
        self.message = message
        self.sessionData = sessionData
    }

    /// Nil if the form names no well-formed message: there is no address for an error then.
    package init?(_ fields: FormFields, message name: Name) {
        // Malformed text is an expected input, so the reason is not needed.
        guard let text = fields[name.rawValue].flatMap(Self.withoutPadding), !text.isEmpty,
            let message = try? TextEncoding.base64URL.decode(text)
        else { return nil }
        let sessionData = fields["threeDSSessionData"]
        guard sessionData?.utf8.count ?? 0 <= Self.maximumSessionData else { return nil }
        self.init(message: message, sessionData: sessionData)
    }

    /// Other programs pad base64url in forms, against the specification; nil for wrong padding.
    private static func withoutPadding(_ text: String) -> String? {
        let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.utf8.dropFirst(body.count)
        guard padding.allSatisfy({ $0 == UInt8(ascii: "=") }), padding.count <= 2,
            padding.isEmpty || text.utf8.count % 4 == 0
        else { return nil }
        return String(Substring(body))
    }

    /// The fields of the form that the browser posts.
    package func fields(message name: Name) -> [(name: String, value: String)] {
        let encoded = TextEncoding.base64URL.encode(message.span)
        return [(name.rawValue, encoded)] + (sessionData.map { [("threeDSSessionData", $0)] } ?? [])
    }

    package enum Name: String, Sendable {
        case request = "creq"
        case response = "cres"
    }

    private static let maximumSessionData = 1024
}

extension ChallengeForm: CustomStringConvertible, CustomReflectable {
    package var description: String { "<challenge form>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
