package import TransactionApproval

/// A login that the person confirmed; the bank's backend can redeem it once.
package struct LoginGrant: Equatable, Sendable {
    package enum Refusal: Equatable, Sendable {
        case expired, redeemedBefore
        /// The backend's data differ from the data that the device signed.
        case otherData
        /// The device was revoked or blocked since.
        case deviceNotActive
    }

    package static let lifetime = Duration.seconds(120)

    package let id: TransactionID
    package let account: AccountReference
    package let device: DeviceID
    package let type: AuthenticationType
    /// SHA-256 of the signed data, which include the backend's challenge.
    package let dataDigest: [UInt8]
    package let granted: Timestamp
    package private(set) var redeemed: Timestamp?

    /// Redeems the login for a backend that knows the signed data.
    package mutating func redeem(
        over dataDigest: [UInt8],
        of device: Device?,
        at now: Timestamp,
        events: inout [Event]
    ) -> RuleResult<Refusal> {
        guard let device, device.id == self.device, device.status == .active else {
            return .refused(.deviceNotActive)
        }
        guard dataDigest == self.dataDigest else { return .refused(.otherData) }
        guard redeemed == nil else { return .refused(.redeemedBefore) }
        guard now < granted + Self.lifetime else { return .refused(.expired) }
        redeemed = now
        events.append(Event(.loginRedeemed, of: id, in: account))
        return .accepted
    }
}
