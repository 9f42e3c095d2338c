import TransactionApproval

/// An account of an enterprise: `bank/main/4711`.
struct AccountPath: Sendable {
    let enterprise: EnterpriseID
    let key: AccountKey

    var text: String { "\(enterprise)/\(key)" }
}

// The characters of identifiers need no escapes in a URL.

extension EnterpriseID {
    static let allPath = "/bank/v1/enterprises"
    static let listHint = "countersignd enterprise list shows the enterprises"

    var path: String { "\(Self.allPath)/\(self)" }
}

extension AccountPath {
    var path: String { "\(enterprise.path)/accounts/\(key.type)/\(key.id)" }

    func path(linking other: AccountPath) -> String {
        "\(path)/links/\(other.key.type)/\(other.key.id)"
    }

    func path(of device: DeviceID) -> String { "\(path)/devices/\(device)" }

    func path(of activation: ActivationID) -> String { "\(path)/activations/\(activation)" }

    func path(of transaction: TransactionID) -> String { "\(path)/transactions/\(transaction)" }
}
