import Cryptography
import JOSE
import StrictJSON

extension SecureChannel {
    package enum Opened: Equatable, Sendable {
        /// The document of a new message, whose counter is correct.
        case message(MessageDocument)
        /// The bytes of the last request again, at the ACS: its sender did not get the response.
        case repeated(Repetition)
    }

    package enum Repetition: Equatable, Sendable {
        /// Send the stored response again.
        case withResponse
        /// Process this document again: no response was sealed.
        ///
        /// The state was stored after `open` alone, against the order that the channel requires.
        case withoutResponse(MessageDocument)
    }

    /// Decrypts the next message of the other side.
    ///
    /// A message that is refused, for whatever reason, ends the channel with the error 302. An SDK
    /// refuses every message that comes again: it sends no response that could be lost.
    package mutating func open(_ received: ReceivedToken) throws(ChannelFailure) -> Opened {
        guard !state.isEnded else { throw .refused }
        if side == .acs, state.repeats(received) { return .repeated(try repetition(of: received)) }
        do throws(ChannelFailure) {
            let (document, encryption) = try decrypted(received, after: state.opened)
            state.addOpened(received, by: encryption)
            return .message(document)
        } catch {
            if error == .refused { state.end() }
            throw error
        }
    }

    package mutating func open(_ text: [UInt8]) throws(ChannelFailure) -> Opened {
        try open(ReceivedToken(text, from: side.other))
    }

    private borrowing func repetition(
        of received: ReceivedToken
    ) throws(ChannelFailure) -> Repetition {
        guard !state.hasResponded else { return .withResponse }
        return .withoutResponse(try decrypted(received, after: state.opened - 1).0)
    }

    private borrowing func decrypted(
        _ received: ReceivedToken,
        after opened: Int
    ) throws(ChannelFailure) -> (MessageDocument, JWE.Encryption) {
        let sender = side.other
        guard let counter = ChannelCounter(after: opened) else { throw .refused }
        let token = try received.token.get()
        let part = try key.part(for: token.encryption, from: sender)
        let plaintext = try token.opened(
            with: part,
            permitting: state.encryption.map { [$0] } ?? JWE.Encryption.allCases
        )
        // The limits of the reader.
        let document = MessageDocument(plaintext, limits: sender.messageType.limits)
        // Compared after the decryption, so a wrong value takes the same work as a wrong key.
        guard let document, token.keyID?.utf8.elementsEqual(transactionID.utf8) == true,
            token.encryption != .a128GCM || token.nonce == counter.nonce(from: sender),
            Self.counterText(of: document, from: sender) == counter.text
        else { throw .refused }
        return (document, token.encryption)
    }

    /// Nil if the message has no counter, or several.
    ///
    /// Other repeated members remain: the reader of messages has an error that names them.
    private static func counterText(of document: MessageDocument, from side: Side) -> String? {
        let counters = document.members.filter { $0.name.hasBytes(of: side.counterName) }
        return counters.count == 1 ? counters[0].value.text : nil
    }
}
