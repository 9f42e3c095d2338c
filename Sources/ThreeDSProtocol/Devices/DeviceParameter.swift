/// A parameter that every platform has, by its identifier.
package enum DeviceParameter: String, CaseIterable, Sendable {
    case platform = "C001"
    case deviceModel = "C002"
    case systemName = "C003"
    case systemVersion = "C004"
    case locale = "C005"
    case timeZone = "C006"
    case advertisingID = "C007"
    case screenResolution = "C008"
    case deviceName = "C009"
    case ipAddress = "C010"
    case latitude = "C011"
    case longitude = "C012"
    case packageName = "C013"
    case sdkAppID = "C014"
    case sdkVersion = "C015"
    case sdkReferenceNumber = "C016"
    case time = "C017"
    case sdkTransactionID = "C018"

    /// Why a parameter has no value.
    ///
    /// The meanings are those of a public SDK, not of the specification.
    package enum Reason: String, CaseIterable, Sendable {
        /// A market or regional rule forbids it, or the app does.
        case restricted = "RE01"
        /// The platform, or its version, does not have it.
        case unsupported = "RE02"
        case permissionMissing = "RE03"
        /// The platform returned nothing.
        case empty = "RE04"
    }

    /// A letter for the platform and three digits, such as `C001` or `A136`.
    static func isIdentifier(_ text: String) -> Bool {
        guard text.utf8.count == 4, let letter = text.utf8.first else { return false }
        // Bytes: a character can have several of them.
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
            && text.utf8.dropFirst().allSatisfy(isDigit)
    }
}
