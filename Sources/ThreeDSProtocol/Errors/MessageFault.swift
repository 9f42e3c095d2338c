import StrictJSON

/// The reason why a message is refused.
package struct MessageFault: Error, Equatable, Sendable {
    package let code: ErrorCode
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
        _ code: ErrorCode,
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
