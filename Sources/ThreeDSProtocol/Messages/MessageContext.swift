/// The messages before the one that is read.
///
/// They decide about required elements, so a reader of messages has no default for them.
package enum MessageContext: Sendable {
    /// No earlier message: for an AReq, a PReq, or an error outside of any transaction.
    case first
    /// The earlier messages of a transaction, at least its AReq.
    case transaction(TransactionFacts)
    /// A PReq with this version and these identifiers.
    case preparation(ProtocolVersion, TransactionIDs)
    /// A person checks one message; some or all of the earlier ones can be missing.
    ///
    /// Rules that depend on unknown facts are not checked. So it is not for messages of peers.
    case alone(ProtocolVersion, after: [Message] = [])

    /// Nil if the message itself states all facts.
    var facts: TransactionFacts? {
        switch self {
        case .first: return nil
        case .transaction(let facts): return facts
        case .preparation(let version, let ids):
            return TransactionFacts(version: version, ids: ids)
        case .alone(let version, let earlier):
            var facts = TransactionFacts(version: version)
            for message in earlier { facts.add(message) }
            return facts
        }
    }

    /// Returns whether a message of this type can be judged by the known facts.
    func permits(_ type: MessageType) -> Bool {
        switch (self, type) {
        case (.transaction, _), (.alone, _), (_, .erro): true
        case (.first, .areq), (.first, .preq), (.preparation, .pres): true
        case (.first, _), (.preparation, _): false
        }
    }
}
