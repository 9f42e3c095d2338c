/// 16 random bytes that make each request unique.
package struct RequestNonce: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

/// The parameters of a request's signature.
package struct DeviceSignatureParameters: Equatable, Sendable {
    package let deviceID: DeviceID
    /// Rounded down to a whole second, the unit of `created`.
    package let created: Timestamp
    package let nonce: RequestNonce

    package init(deviceID: DeviceID, created: Timestamp, nonce: RequestNonce) {
        self.deviceID = deviceID
        self.created = created.roundedToSecond
        self.nonce = nonce
    }

    init?(_ sent: SentParameters) {
        guard
            let values = sent.values(of: ["created", "nonce", "keyid", "tag"]),
            let created = Timestamp(seconds: values[0]),
            let nonce = unquoted(values[1]).flatMap({ RequestNonce($0) }),
            let deviceID = unquoted(values[2]).flatMap({ DeviceID($0) }),
            values[3] == Self.tag
        else { return nil }
        self.init(deviceID: deviceID, created: created, nonce: nonce)
    }

    /// In the order in which this package writes them.
    var text: String {
        ";created=\(created.seconds);nonce=\"\(nonce)\";keyid=\"\(deviceID)\";tag=\(Self.tag)"
    }

    private static let tag = "\"countersign-device-1\""
}

/// The parameters of a response's signature.
struct ServerSignatureParameters {
    let keyID: ServerKeyID
    let created: Timestamp

    init(keyID: ServerKeyID, created: Timestamp) {
        self.keyID = keyID
        self.created = created.roundedToSecond
    }

    init?(_ sent: SentParameters) {
        guard
            let values = sent.values(of: ["created", "keyid", "tag"]),
            let created = Timestamp(seconds: values[0]),
            let keyID = unquoted(values[1]).flatMap({ ServerKeyID($0) }),
            values[2] == Self.tag
        else { return nil }
        self.init(keyID: keyID, created: created)
    }

    /// In the order in which this package writes them.
    var text: String { ";created=\(created.seconds);keyid=\"\(keyID)\";tag=\(Self.tag)" }

    private static let tag = "\"countersign-server-1\""
}

/// The parameters of a signature as they were sent, in any order.
///
/// The signature covers this text, so the order cannot change what was signed.
struct SentParameters {
    let text: String

    /// The values of exactly these parameters; nil if one is missing, repeated or unknown.
    ///
    /// No valid value contains a semicolon, so the text can be split before its values are checked.
    func values(of names: [String]) -> [String]? {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard parts.count == names.count + 1, parts[0].isEmpty else { return nil }
        let values = names.compactMap { name in
            let start = (name + "=").utf8
            return parts.first { $0.starts(with: start) }
                .map { String(Substring($0.dropFirst(start.count))) }
        }
        return values.count == names.count ? values : nil
    }
}

/// The text between quotation marks; nil without them.
private func unquoted(_ text: String) -> String? {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
    return String(Substring(text.utf8.dropFirst().dropLast()))
}

extension Timestamp {
    /// The largest integer of a structured field (RFC 9651, section 3.3.1).
    private static let maximumSeconds: UInt64 = 999_999_999_999_999

    fileprivate init?(seconds text: String) {
        guard
            let seconds = UInt64(text), seconds <= Self.maximumSeconds, String(seconds) == text
        else { return nil }
        self.init(milliseconds: seconds * 1000)
    }

    fileprivate var seconds: UInt64 { milliseconds / 1000 }

    fileprivate var roundedToSecond: Timestamp { self - .milliseconds(milliseconds % 1000) }
}
