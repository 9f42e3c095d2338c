import StrictJSON
import ThreeDSProtocol

/// The parts of a message without encryption by which its challenge is found.
///
/// A stranger can send it. Swift compares and hashes long texts in a time that can grow with the
/// square of their length. So the store is searched for UUIDs only.
struct UnencryptedMessage {
    /// Nil if it names none with a well-formed identifier.
    let challenge: ChallengeID?
    let isErrorMessage: Bool

    /// Whether the bytes begin as an object of JSON, and not as an encrypted message does.
    ///
    /// White space can be before it (RFC 8259, section 2).
    static func canBe(_ body: [UInt8]) -> Bool {
        body.first { !" \t\n\r".utf8.contains($0) } == UInt8(ascii: "{")
    }

    init(reading body: [UInt8]) {
        // Malformed text is an expected input: `try?`. An error message may have any fault.
        let message = (try? JSONValue.reading(body, limits: .message))?.value
        challenge = message?["acsTransID"]?.text.flatMap { ChallengeID($0) }
        let type = message?["messageType"]?.text
        isErrorMessage = type?.hasBytes(of: MessageType.erro.rawValue) ?? false
    }
}
