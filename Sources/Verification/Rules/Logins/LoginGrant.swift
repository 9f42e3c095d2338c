package import TransactionApproval

/// A login that the person confirmed, which the bank's backend may redeem once.
package struct LoginGrant: Equatable, Sendable {
    package enum Refusal: Equatable, Sendable {
        case expired, redeemedBefore
        /// The backend asks about other data than the device signed.
        case otherData
        /// The device was revoked or locked for good since.
        case deviceNotActive
    }

    package static let lifetime = Duration.seconds(120)

    package let id: TransactionID
    package let account: AccountReference
    package let device: DeviceID
    package let type: AuthenticationType
    /// SHA-256 of what was signed, the backend's challenge in it.
    package let dataDigest: [UInt8]
    package let granted: Timestamp
    package private(set) var redeemed: Timestamp?

    package init(
        id: TransactionID,
        account: AccountReference,
        device: DeviceID,
        type: AuthenticationType,
        dataDigest: [UInt8],
        granted: Timestamp,
        redeemed: Timestamp? = nil
    ) {
        self.id = id
        self.account = account
        self.device = device
        self.type = type
        self.dataDigest = dataDigest
        self.granted = granted
        self.redeemed = redeemed
    }

    /// Gives the login to who knows what it was over; nil is a yes, and there is one.
    package mutating func redeem(
        over dataDigest: [UInt8],
        of device: Device?,
        at now: Timestamp,
        events: inout [Event]
    ) -> Refusal? {
        guard let device, device.id == self.device, device.status == .active else {
            return .deviceNotActive
        }
        guard dataDigest == self.dataDigest else { return .otherData }
        guard redeemed == nil else { return .redeemedBefore }
        guard now < granted + Self.lifetime else { return .expired }
        redeemed = now
        events.append(Event(.loginRedeemed, of: id, in: account))
        return nil
    }
}
