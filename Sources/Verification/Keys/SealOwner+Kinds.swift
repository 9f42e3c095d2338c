package import Sealing
package import TransactionApproval

/// The kinds of secrets at rest, each with the identifiers of its owner.
extension SealOwner {
    private init(_ label: String, _ write: (inout FieldWriter) -> Void) {
        var writer = FieldWriter()
        writer.append(label)
        write(&writer)
        self.init(bytes: writer.bytes)
    }

    package static func seed(
        of credential: CredentialContext,
        on device: DeviceID,
        for account: AccountReference
    ) -> SealOwner {
        SealOwner("countersign sealed seed 1") { writer in
            writer.append(account)
            writer.append(device)
            writer.append(credential)
        }
    }

    /// The suite is part of the owner.
    ///
    /// If the row is edited, for example to fewer digits or to an installation, the secret does not
    /// open.
    static func tokenSecret(
        of credential: CredentialContext,
        on device: DeviceID,
        for account: AccountReference,
        suite: TokenSuite
    ) -> SealOwner {
        SealOwner("countersign sealed token secret 1") { writer in
            writer.append(account)
            writer.append(device)
            writer.append(credential)
            writer.append(suite.text)
        }
    }

    /// The owner of a credential's secret, on an installation or a token.
    static func secret(
        of credential: CredentialContext,
        on device: DeviceID,
        _ kind: Device.Kind,
        for account: AccountReference
    ) -> SealOwner {
        switch kind {
        case .installation: seed(of: credential, on: device, for: account)
        case .token(let suite):
            tokenSecret(of: credential, on: device, for: account, suite: suite)
        }
    }

    package static func code(
        of activation: ActivationID,
        for account: AccountReference
    ) -> SealOwner {
        SealOwner("countersign sealed activation code 1") { writer in
            writer.append(account)
            writer.append(activation)
        }
    }

    package static func number(
        of transaction: TransactionID,
        for account: AccountReference
    ) -> SealOwner {
        SealOwner("countersign sealed number 1") { writer in
            writer.append(account)
            writer.append(transaction)
        }
    }

    package static func fingerprintKey(of store: [UInt8]) -> SealOwner {
        SealOwner("countersign sealed fingerprint key 1") { $0.append(store) }
    }
}

extension FieldWriter {
    mutating func append(_ account: AccountReference) {
        append(account.enterprise)
        append(account.key.type)
        append(account.key.id)
    }
}
