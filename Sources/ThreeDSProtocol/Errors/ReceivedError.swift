import StrictJSON

/// The code of another party's error message.
///
/// No error message may follow it, so its sender would not find out about a fault in it. Only the
/// elements that have an effect are read; all others can have any value, and are not kept.
package struct ReceivedError: Equatable, Sendable {
    /// Three digits, which can be a code that this version does not know.
    package let code: String
    private let ids: TransactionIDs

    /// Nil if the bytes are not an error message with a code.
    package init?(reading bytes: [UInt8]) {
        // Malformed text is an expected input: `try?`.
        let document = try? JSONValue.reading(bytes, limits: MessageType.erro.limits)
        guard case .object(let members)? = document?.value,
            // A repeated element of these would have two values.
            document?.repeatedMembers.contains(where: \.hasEffect) == false,
            members.code(of: "messageType").flatMap(MessageType.init) == .erro,
            let code = members.code(of: "errorCode"), code.utf8.count == 3, hasOnlyDigits(code)
        else { return nil }
        self.code = code
        ids = TransactionIDs(in: members)
    }

    fileprivate static let names = ["messageType", "errorCode"] + TransactionIDs.names

    /// Returns whether the message has no identifier of another transaction.
    package func concerns(_ transaction: TransactionIDs) -> Bool {
        ids.conflicts(with: transaction).isEmpty
    }
}

extension RepeatedMember {
    fileprivate var hasEffect: Bool { path.count == 1 && ReceivedError.names.contains(path[0]) }
}
