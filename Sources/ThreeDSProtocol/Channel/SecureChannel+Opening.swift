import Cryptography
import JOSE
import StrictJSON

extension SecureChannel {
    package enum Opened: Equatable, Sendable {
        /// The JSON text of a new message, whose counter is correct.
        case message([UInt8])
        /// The bytes of the last request again, at the ACS: its sender did not get the response.
        case repeated(Repetition)
    }

    package enum Repetition: Equatable, Sendable {
        /// Send the stored response again.
        case withResponse
        /// Process this JSON text again: no response was sealed.
        ///
        /// The state was stored after `open` alone, against the order that the channel requires.
        case withoutResponse([UInt8])
    }

    /// Decrypts the next message of the other side.
    ///
    /// A message that is refused, for whatever reason, ends the channel with the error 302. An SDK
    /// refuses every message that comes again: it sends no response that could be lost.
    package mutating func open(_ text: [UInt8]) throws(ChannelFailure) -> Opened {
        guard !state.isEnded else { throw .refused }
        if side == .acs, try state.repeats(text) { return .repeated(try repetition(of: text)) }
        do throws(ChannelFailure) {
            let (plaintext, encryption) = try decrypted(text, after: state.opened)
            try state.addOpened(text, by: encryption)
            return .message(plaintext)
        } catch {
            if error == .refused { state.end() }
            throw error
        }
    }

    /// The identifier that a message claims, to find its channel; nil if it has none.
    package static func claimedTransactionID(of text: [UInt8], from side: Side) -> String? {
        // A malformed message is an expected input, so the reason is not needed.
        (try? JWE(reading: text, maximumByteCount: side.maximumByteCount))?.keyID
    }

    private borrowing func repetition(
        of text: [UInt8]
    ) throws(ChannelFailure) -> Repetition {
        guard !state.hasResponded else { return .withResponse }
        return .withoutResponse(try decrypted(text, after: state.opened - 1).0)
    }

    private borrowing func decrypted(
        _ text: [UInt8],
        after opened: Int
    ) throws(ChannelFailure) -> ([UInt8], JWE.Encryption) {
        let sender = side.other
        guard let counter = ChannelCounter(after: opened) else { throw .refused }
        let maximum = sender.maximumByteCount
        let token = try orRefusedToken(JWE(reading: text, maximumByteCount: maximum))
        let part = try key.part(for: token.encryption, from: sender)
        let plaintext = try orRefusedToken(
            token.opened(
                with: part,
                permitting: state.encryption.map { [$0] } ?? JWE.Encryption.allCases
            )
        )
        // Compared after the decryption, so a wrong value takes the same work as a wrong key.
        guard token.keyID?.utf8.elementsEqual(transactionID.utf8) == true,
            token.encryption != .a128GCM || token.nonce == counter.nonce(from: sender),
            Self.counterText(of: plaintext, from: sender) == counter.text
        else { throw .refused }
        return (plaintext, token.encryption)
    }

    /// Nil if the message has no counter, or several.
    ///
    /// Other repeated members remain: the reader of messages has an error that names them.
    private static func counterText(of plaintext: [UInt8], from side: Side) -> String? {
        // The limits of the reader; a malformed text is an expected input.
        let document = try? JSONValue.reading(plaintext, limits: side.messageType.limits)
        guard case .object(let members) = document?.value else { return nil }
        let counters = members.filter { $0.name.hasBytes(of: side.counterName) }
        return counters.count == 1 ? counters[0].value.text : nil
    }
}
