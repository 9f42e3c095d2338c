/// The values of earlier messages that decide the rules of later ones.
package struct TransactionFacts: Sendable {
    /// The version that the AReq had: no later message may have another.
    package let version: ProtocolVersion
    package private(set) var ids: TransactionIDs
    private var values: [String: [String]] = [:]

    package init(
        version: ProtocolVersion,
        channel: DeviceChannel,
        category: MessageCategory,
        ids: TransactionIDs = TransactionIDs()
    ) {
        self.init(version: version, ids: ids)
        values = ["deviceChannel": [channel.rawValue], "messageCategory": [category.rawValue]]
    }

    /// Nil if the message is not an AReq with a channel and a category.
    package init?(_ request: Message) {
        self.init(version: request.version)
        add(request)
        guard channel != nil, category != nil else { return nil }
    }

    /// Without a channel and a category: for messages outside of a transaction.
    init(version: ProtocolVersion, ids: TransactionIDs = TransactionIDs()) {
        self.version = version
        self.ids = ids
    }

    /// Adds the facts of a message that was accepted or sent.
    package mutating func add(_ message: Message) {
        ids.fill(from: TransactionIDs(in: message.members))
        let rows = FieldTable.rows(of: message.type, in: message.version)
        for name in Self.carried where rows.place(of: name) != nil {
            // Only an AReq states them: an RReq repeats its category.
            let isStatement = name == "deviceChannel" || name == "messageCategory"
            guard message.type == .areq || !isStatement else { continue }
            values[name] = message[value: name]?.texts ?? []
        }
    }

    /// States a fact that no message of the transaction has.
    package mutating func add(_ name: String, _ texts: [String]) {
        values[name] = texts
    }

    func texts(of name: String) -> [String]? { values[name] }

    var channel: DeviceChannel? { values["deviceChannel"]?.first.flatMap(DeviceChannel.init) }
    var category: MessageCategory? {
        values["messageCategory"]?.first.flatMap(MessageCategory.init)
    }

    /// The elements that decide conditions in other messages than their own.
    private static let carried: Set = [
        "acsDecConInd", "acsUiType", "challengeAddLabel", "challengeEntryBoxTwo",
        "deviceBindingInfoText", "deviceChannel", "messageCategory", "oobAppURLInd",
        "threeDSRequestorChallengeInd", "threeDSRequestorDecReqInd", "threeDSRequestorSpcSupport",
        "trustListInfoText", "whitelistingInfoText",
    ]
}
