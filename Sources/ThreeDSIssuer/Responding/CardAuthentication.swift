package import ThreeDSProtocol
package import Transactions

/// One authentication, by the facts that all its messages share.
///
/// The store keeps these facts, and not the AReq, which describes a person.
package struct CardAuthentication: Equatable, Sendable {
    package let version: ProtocolVersion
    package let channel: DeviceChannel
    package let category: MessageCategory
    package let ids: TransactionIDs
    package let acsTransID: String
    package let isDecoupled: Bool
    /// The accepted ways of approval.
    package let ways: AuthenticationTypes

    /// Facts from the store; nil without one of the identifiers that every message has.
    package init?(
        version: ProtocolVersion,
        channel: DeviceChannel,
        category: MessageCategory,
        ids: TransactionIDs,
        isDecoupled: Bool,
        ways: AuthenticationTypes
    ) {
        guard let acsTransID = ids.acs, ids.server != nil, ids.directory != nil else { return nil }
        self.version = version
        self.channel = channel
        self.category = category
        self.ids = ids
        self.acsTransID = acsTransID
        self.isDecoupled = isDecoupled
        self.ways = ways
    }

    /// The facts of a new authentication; `acsTransID` is a new UUID.
    package init?(
        of request: Message,
        acsTransID: String,
        _ decision: RequestDecision,
        ways: AuthenticationTypes
    ) {
        guard let channel = request["deviceChannel"].flatMap(DeviceChannel.init),
            let category = request["messageCategory"].flatMap(MessageCategory.init)
        else { return nil }
        var ids = request.ids
        ids.acs = acsTransID
        // An SDK has an identifier only in an app.
        if channel != .app { ids.sdk = nil }
        self.init(
            version: request.version,
            channel: channel,
            category: category,
            ids: ids,
            isDecoupled: decision == .decoupled,
            ways: ways
        )
    }
}
