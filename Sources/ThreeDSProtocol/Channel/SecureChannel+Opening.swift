import Cryptography
import JOSE
import StrictJSON

extension SecureChannel {
    package enum Opened: Equatable, Sendable {
        /// The JSON text of a new message, whose counter is correct.
        case message([UInt8])
        /// The bytes of the last message again: send the stored response to it.
        case repeated
    }

    /// Decrypts the next message of the other side.
    ///
    /// A message that is refused, for whatever reason, ends the channel with the error 302.
    package mutating func open(_ text: [UInt8]) throws(ChannelFailure) -> Opened {
        guard !state.isEnded else { throw .refused }
        guard try !state.repeats(text) else { return .repeated }
        do throws(ChannelFailure) {
            let (plaintext, encryption) = try decrypted(text)
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

    private borrowing func decrypted(
        _ text: [UInt8]
    ) throws(ChannelFailure) -> ([UInt8], JWE.Encryption) {
        let sender = side.other
        guard let counter = ChannelCounter(after: state.opened) else { throw .refused }
        let maximum = sender.maximumByteCount
        let token = try orRefusedToken(JWE(reading: text, maximumByteCount: maximum))
        let part = try key.part(for: token.encryption, from: sender)
        let opened = try orRefusedToken(
            token.opened(
                with: part,
                permitting: state.encryption.map { [$0] } ?? JWE.Encryption.allCases
            )
        )
        let plaintext = opened.withBytes { $0.array }
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
        let counters = members.filter { $0.name == side.counterName }
        return counters.count == 1 ? counters[0].value.text : nil
    }
}
