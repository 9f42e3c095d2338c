package import Transactions

/// Why a purchase counts as authenticated.
package enum AuthenticationBasis: Equatable, Sendable {
    /// By the transaction of the verifier, whose evidence no ACS can make.
    ///
    /// The bank's API does not return the hash of a transaction, so its identifier is used.
    case approval(TransactionID, by: AuthenticationType)
    case exemption

    /// The byte in the authentication value, by which a host sees how strong it is.
    var status: UInt8 {
        switch self {
        case .approval(_, by: .userPIN), .approval(_, by: .biometric): 1
        // One factor, which is not strong customer authentication.
        case .approval(_, by: .consent): 2
        case .exemption: 3
        }
    }

    func write(to writer: inout FieldWriter) {
        writer.append([status])
        switch self {
        case .approval(let transaction, _): writer.append(transaction)
        case .exemption: writer.append("")
        }
    }
}
