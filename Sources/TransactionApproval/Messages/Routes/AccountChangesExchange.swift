/// The recent changes of the account that the bank or other devices made, newest first.
package enum AccountChangesExchange: DeviceExchange {
    package static let route = DeviceRoute.accountChanges

    package typealias Request = NoContent

    package struct Response: DeviceMessage {
        package let changes: [Change]

        package init(changes: [Change]) {
            self.changes = changes
        }
    }

    package struct Change: Codable, Hashable, Sendable {
        package let kind: AccountChangeKind
        package let moment: Timestamp
        /// The name of the device that it concerns; nil if it concerns none.
        package let deviceName: DeviceName?
        /// The linked account that it concerns; nil for the account of the device.
        package let account: AccountKey?

        package init(
            _ kind: AccountChangeKind,
            at moment: Timestamp,
            on name: DeviceName?,
            of account: AccountKey? = nil
        ) {
            self.kind = kind
            self.moment = moment
            deviceName = name
            self.account = account
        }
    }

    /// The maximum number of changes in a response.
    package static let maximumCount = 20
}

/// A kind of change that a person should know of, because a thief can be the cause.
public enum AccountChangeKind: String, Codable, CaseIterable, Sendable {
    /// The bank issued an activation: a new device may follow.
    case activationIssued
    /// A device or a token was added.
    case deviceActivated
    case deviceRevoked
    /// The account and another one now belong to one person.
    case accountLinked
    /// The account took over the devices of another one.
    case accountReplaced
    case pinChanged
    /// Too many wrong codes locked a device, for a time or permanently.
    case locked
}
