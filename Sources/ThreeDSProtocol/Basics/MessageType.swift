/// The messages of a transaction, by the names that they have on the wire.
package enum MessageType: String, CaseIterable, Sendable {
    /// Authentication: from the 3DS server over the directory server to the ACS, and back.
    case areq = "AReq"
    case ares = "ARes"
    /// Challenge: from the SDK or the browser to the ACS, and back.
    case creq = "CReq"
    case cres = "CRes"
    /// Result: from the ACS over the directory server to the 3DS server, and back.
    case rreq = "RReq"
    case rres = "RRes"
    /// Preparation: from the 3DS server to the directory server, and back.
    case preq = "PReq"
    case pres = "PRes"
    case erro = "Erro"
}

/// A party of the protocol, by its letter in an error message.
package enum Component: String, CaseIterable, Sendable {
    case sdk = "C"
    case server = "S"
    case directory = "D"
    case acs = "A"

    var words: String {
        switch self {
        case .sdk: "the SDK"
        case .server: "the 3DS server"
        case .directory: "the directory server"
        case .acs: "the ACS"
        }
    }
}

/// The way in which a purchase was made.
package enum DeviceChannel: String, CaseIterable, Sendable {
    case app = "01"
    case browser = "02"
    /// Without a device of the cardholder (3RI).
    case requestor = "03"
}

package enum MessageCategory: String, CaseIterable, Sendable {
    case payment = "01"
    case nonPayment = "02"
}
