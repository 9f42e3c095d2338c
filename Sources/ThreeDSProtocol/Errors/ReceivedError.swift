package import StrictJSON

/// Another party's error message.
///
/// No error message may follow it, so its sender would not find out about a fault in it. Only the
/// elements that have an effect are read; all others can have any value.
package struct ReceivedError: Sendable {
    /// Three digits, which can be a code that this version does not know.
    package let code: String
    /// `errorComponent`; nil without exactly one known value.
    package let component: Component?
    package let ids: TransactionIDs
    /// Its elements that occur once.
    private let members: [JSONValue.Member]

    /// Nil if the bytes are not an error message with a code.
    package init?(reading bytes: [UInt8]) {
        guard let document = MessageDocument(bytes, limits: MessageType.erro.limits) else {
            return nil
        }
        self.init(document)
    }

    /// Nil if the document is not an error message with a code.
    package init?(_ document: MessageDocument) {
        let members = document.members
        // A repeated element of these would have two values.
        guard !document.repeatedMembers.contains(where: \.hasEffect),
            members.code(of: "messageType").flatMap(MessageType.init) == .erro,
            let code = members.code(of: "errorCode"), code.utf8.count == 3, hasOnlyDigits(code)
        else { return nil }
        self.code = code
        let repeated = document.repeatedMembers.map(\.path)
        let others = members.filter { !repeated.contains([$0.name]) }
        component = others.code(of: "errorComponent").flatMap(Component.init)
        ids = TransactionIDs(in: members)
        self.members = others
    }

    fileprivate static let names = ["messageType", "errorCode"] + TransactionIDs.names

    /// Returns whether the message has no identifier of another transaction.
    package func concerns(_ transaction: TransactionIDs) -> Bool {
        ids.conflicts(with: transaction).isEmpty
    }
}

extension ReceivedError {
    /// The error as the result of `transaction` repeats it for the directory server.
    ///
    /// An element that the SDK left out, or that is invalid, gets the value that this side knows.
    package func report(
        in version: ProtocolVersion,
        about transaction: TransactionIDs
    ) -> [JSONValue.Member] {
        let description =
            MessageErrorCode(rawValue: code)?.description ?? "The error has no description."
        let known = [
            "messageVersion": version.rawValue,
            "errorComponent": Component.sdk.rawValue,
            "errorDescription": description,
            "errorDetail": description,
        ]
        return FieldTable.reportedErrorRows.compactMap { row in
            let received = members.text(of: row.name).flatMap { text in
                isLine(text) && row.form.judge(text) == .right ? text : nil
            }
            let value = received ?? known[row.name] ?? transaction.text(of: row.name)
            return value.map { .init(name: row.name, value: .string($0)) }
        }
    }
}

private func isLine(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
}

extension RepeatedMember {
    fileprivate var hasEffect: Bool { path.count == 1 && ReceivedError.names.contains(path[0]) }
}
