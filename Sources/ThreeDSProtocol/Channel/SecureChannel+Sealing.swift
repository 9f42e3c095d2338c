import JOSE
import StrictJSON

extension SecureChannel {
    /// Encrypts the next message of this side, and writes its counter into it.
    ///
    /// After 256 messages the channel ends.
    package mutating func seal(_ message: Message) throws(ChannelFailure) -> String {
        guard !state.isEnded, message.type == side.messageType, let encryption = state.encryption
        else { throw .refused }
        guard let counter = ChannelCounter(after: state.sealed) else {
            state.end()
            throw .refused
        }
        let plaintext = try message.written(side.counterName, counter)
        let part = try key.part(for: encryption, from: side)
        let text = try JWE.sealed(
            plaintext.span,
            with: part,
            encryption: encryption,
            keyID: transactionID,
            nonce: encryption == .a128GCM ? counter.nonce(from: side) : nil
        )
        state.addSealed()
        return text
    }
}

extension Message {
    /// The channel alone writes the counter, so text and nonce never differ.
    fileprivate func written(
        _ name: String,
        _ counter: ChannelCounter
    ) throws(ChannelFailure) -> [UInt8] {
        let member = JSONValue.Member(name: name, value: .string(counter.text))
        let members = members.filter { $0.name != name } + [member]
        do throws(StrictJSON.Unwritable) {
            return try JSONValue.object(members).written()
        } catch {
            throw .refused
        }
    }
}
