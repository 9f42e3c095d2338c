import StrictJSON

/// The reason why a message is refused.
package struct MessageFault: Error, Equatable, Sendable {
    package let code: MessageErrorCode
    /// Names of data elements, or a reason in words; never a value of the message.
    package let detail: String
    /// Nil if the type was not recognisable.
    package let messageType: MessageType?
    /// The version of the error message.
    package let version: ProtocolVersion
    package let ids: TransactionIDs
    /// Whether the protocol demands an error message.
    package let isReported: Bool

    package init(
        _ code: MessageErrorCode,
        detail: String,
        in messageType: MessageType?,
        version: ProtocolVersion,
        ids: TransactionIDs,
        isReported: Bool = true
    ) {
        self.code = code.available(in: version)
        self.detail = String(String.UnicodeScalarView(detail.unicodeScalars.prefix(2048)))
        self.messageType = messageType
        self.version = version
        self.ids = ids
        self.isReported = isReported
    }

    /// A fault that is not one of the message, such as a failure of the receiver.
    ///
    /// Its error message has the identifiers and the version that the message claims.
    package init(_ code: MessageErrorCode, claimedIn body: [UInt8], as messageType: MessageType) {
        // Of a text that is not a message, nothing is known: `try?`.
        let document = try? JSONValue.reading(body, limits: messageType.limits)
        let members: [JSONValue.Member] =
            if case .object(let members)? = document?.value { members } else { [] }
        self.init(
            code,
            detail: "",
            in: messageType,
            version: members.code(of: "messageVersion").flatMap(ProtocolVersion.init) ?? .twoTwo,
            ids: TransactionIDs(in: members)
        )
    }

    /// The error message for the sender; nil if the protocol forbids one.
    ///
    /// An error message never causes another one: two parties would never stop.
    package func errorMessage(from component: Component) -> Message? {
        guard isReported, messageType != .erro else { return nil }
        let texts =
            [
                ("errorCode", code.rawValue), ("errorComponent", component.rawValue),
                ("errorDescription", code.description),
                // The element is required, so an empty detail is not allowed.
                ("errorDetail", detail.isEmpty ? code.description : detail),
            ] + (messageType.map { [("errorMessageType", $0.rawValue)] } ?? [])
        return Message(
            .erro,
            version,
            ids.members + texts.map { JSONValue.Member(name: $0, value: .string($1)) }
        )
    }
}
