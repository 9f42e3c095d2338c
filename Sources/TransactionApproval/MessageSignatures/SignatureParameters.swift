/// 16 random bytes that make a request unlike every other.
package struct RequestNonce: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

/// What the signature of a request says of itself.
package struct DeviceSignatureParameters: Equatable, Sendable {
    package let deviceID: DeviceID
    /// On a whole second: a signature tells its time no finer.
    package let created: Timestamp
    package let nonce: RequestNonce

    package init(deviceID: DeviceID, created: Timestamp, nonce: RequestNonce) {
        self.deviceID = deviceID
        self.created = created.onWholeSecond
        self.nonce = nonce
    }

    /// Looks up the three in `Signature-Input`; what else stands there is for the caller to compare.
    init?(foundIn signatureInput: String) {
        guard
            let created = Timestamp(seconds: parameter("created", in: signatureInput)),
            let nonce = RequestNonce(parameter("nonce", in: signatureInput)),
            let deviceID = DeviceID(parameter("keyid", in: signatureInput))
        else { return nil }
        self.init(deviceID: deviceID, created: created, nonce: nonce)
    }

    var text: String {
        ";created=\(created.seconds);nonce=\"\(nonce)\";keyid=\"\(deviceID)\""
            + ";tag=\"countersign-device-1\""
    }
}

/// What the signature of an answer says of itself.
struct ServerSignatureParameters {
    let keyID: ServerKeyID
    let created: Timestamp

    init(keyID: ServerKeyID, created: Timestamp) {
        self.keyID = keyID
        self.created = created.onWholeSecond
    }

    /// Looks up the two in `Signature-Input`; what else stands there is for the caller to compare.
    init?(foundIn signatureInput: String) {
        guard
            let created = Timestamp(seconds: parameter("created", in: signatureInput)),
            let keyID = ServerKeyID(parameter("keyid", in: signatureInput))
        else { return nil }
        self.init(keyID: keyID, created: created)
    }

    var text: String {
        ";created=\(created.seconds);keyid=\"\(keyID)\";tag=\"countersign-server-1\""
    }
}

/// What stands behind the name of a parameter, without quotes; empty where the name is not found.
private func parameter(_ name: String, in signatureInput: String) -> String {
    let parts = signatureInput.split(separator: ";")
    let value = parts.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
    return value.map { $0.filter { $0 != "\"" } } ?? ""
}

extension Timestamp {
    /// The largest number that a structured field can hold (RFC 9651, section 3.3.1).
    private static let maximumSeconds: UInt64 = 999_999_999_999_999

    fileprivate init?(seconds text: String) {
        guard let seconds = UInt64(text), seconds <= Self.maximumSeconds else { return nil }
        self.init(milliseconds: seconds * 1000)
    }

    fileprivate var seconds: UInt64 { milliseconds / 1000 }

    fileprivate var onWholeSecond: Timestamp { self - .milliseconds(milliseconds % 1000) }
}
