package import Cryptography
package import StrictJSON

/// Reads messages for one component, and refuses them with the error that the protocol demands.
package struct MessageReader: Sendable {
    package let receiver: Component
    package let versions: [ProtocolVersion]
    /// The IDs of message extensions that the component processes.
    package let recognisedExtensions: Set<String>
    /// The channels and categories of the AReq messages that the component processes.
    package let channels: [DeviceChannel]
    package let categories: [MessageCategory]

    package init(
        for receiver: Component,
        versions: [ProtocolVersion] = ProtocolVersion.allCases,
        recognisedExtensions: Set<String> = [],
        channels: [DeviceChannel] = DeviceChannel.allCases,
        categories: [MessageCategory] = MessageCategory.allCases
    ) {
        self.receiver = receiver
        self.versions = versions.sorted()
        (self.channels, self.categories) = (channels, categories)
        self.recognisedExtensions = recognisedExtensions
    }

    package enum Failure: Error, Sendable {
        case fault(MessageFault)
        /// The machine failed, such as by a lack of locked memory.
        case system(CryptographyFailure)
    }

    /// Reads a message of one of the types.
    ///
    /// - Precondition: `context` has the facts that the types need.
    package func read(
        _ bytes: [UInt8],
        as types: Set<MessageType>,
        in context: MessageContext
    ) throws(Failure) -> Message {
        let limits = types.map(\.limits).max { $0.byteCount < $1.byteCount } ?? .message
        return try read(MessageDocument(bytes, limits: limits), as: types, in: context)
    }

    /// The same for a document that was parsed within the limits of the types; nil for a text that
    /// is not one.
    package func read(
        _ document: MessageDocument?,
        as types: Set<MessageType>,
        in context: MessageContext
    ) throws(Failure) -> Message {
        precondition(types.allSatisfy(context.permits), "the facts of the transaction are missing")
        let facts = context.facts
        let draft = try draft(of: document, types, facts)
        let check: ElementCheck
        do throws(MessageFault) {
            try draft.checkVersion(versions)
            check = draft.elementCheck(by: self)
            try draft.checkRepetitions(check)
            try draft.checkExtensions(recognisedExtensions)
        } catch {
            throw .fault(error)
        }
        let cardNumber = try draft.cardNumber()
        do throws(MessageFault) {
            try draft.checkElements(check, hasCardNumber: cardNumber != nil)
        } catch {
            throw .fault(error)
        }
        return Message(reading: draft.openMembers, draft.type, draft.version, cardNumber)
    }

    /// Bytes that are not a message of an expected type have the error 101.
    private func draft(
        of document: MessageDocument?,
        _ types: Set<MessageType>,
        _ facts: TransactionFacts?
    ) throws(Failure) -> MessageDraft {
        let version = facts?.version ?? versions.last ?? .twoTwo
        var ids = facts?.ids ?? TransactionIDs()
        func invalid(_ detail: String, _ type: MessageType? = nil) -> Failure {
            .fault(
                MessageFault(.messageInvalid, detail: detail, in: type, version: version, ids: ids)
            )
        }
        guard let document else { throw invalid("Invalid formatted message") }
        let members = document.members
        let type = members.code(of: "messageType").flatMap(MessageType.init)
        ids = TransactionIDs(in: members)
        if let facts { ids.fill(from: facts.ids) }
        guard let type else { throw invalid("Invalid message type") }
        guard types.contains(type) else {
            throw invalid("Invalid message for the receiving component", type)
        }
        let byteCount = document.text.count
        guard byteCount <= type.limits.byteCount else { throw invalid("Message too long", type) }
        return MessageDraft(
            type,
            members,
            document.repeatedMembers,
            byteCount: byteCount,
            supported: versions,
            fallback: version,
            facts,
            ids
        )
    }
}

extension MessageType {
    /// The size of a message is limited before anything of it is read.
    package var limits: StrictJSON.Limits {
        switch self {
        case .areq, .rreq: .init(byteCount: 256 << 10, depth: 16, valueCount: 4096)
        case .ares, .cres: .init(byteCount: 512 << 10, depth: 16, valueCount: 4096)
        case .pres: .init(byteCount: 16 << 20, depth: 16, valueCount: 1 << 20)
        case .creq, .rres, .preq, .erro: .message
        }
    }
}
