package import CommandLineTool
import Cryptography
package import TransactionApproval

// Identifiers as arguments of a command line.

private let identifierExpectation = "1 to 64 ASCII letters, digits, dots, underscores or hyphens"

extension ArgumentValue where Self: TextIdentifier {
    package static var valueName: String { "NAME" }
    package static var expectation: String { identifierExpectation }

    package init?(argument: String) { self.init(argument) }
}

extension EnterpriseID: ArgumentValue {
    package static var valueName: String { "ENTERPRISE" }

    static let help = "The name of the enterprise."
}

extension AccountType: ArgumentValue {}

extension AccountPath: ArgumentValue {
    static var valueName: String { "ACCOUNT" }
    static var expectation: String { "ENTERPRISE/TYPE/ID, each with \(identifierExpectation)" }

    init?(argument: String) {
        let names = argument.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        guard
            names.count == 3, let enterprise = EnterpriseID(names[0]),
            let type = AccountType(names[1]), let id = AccountID(names[2])
        else { return nil }
        self.init(enterprise: enterprise, key: AccountKey(type: type, id: id))
    }

    static let help = "The account, such as bank/main/4711."
}

extension ActivationID: ArgumentValue {
    package static var valueName: String { "ACTIVATION" }
    package static var expectation: String { "the 10 characters of an activation ID" }

    package init?(argument: String) { self.init(typed: argument) }

    static let help = "The ID of the activation."
}

extension DeviceID: ArgumentValue {
    package static var valueName: String { "DEVICE" }
    package static var expectation: String { "the 32 characters of a device ID" }

    package init?(argument: String) { self.init(argument) }

    static let help = "The ID of the device, from countersignd account show."
}

extension CredentialKind: ArgumentValue {}

extension TransactionID: ArgumentValue {
    package static var valueName: String { "TRANSACTION" }
    package static var expectation: String { "a transaction ID" }

    package init?(argument: String) { self.init(argument) }

    static let help = "The ID of the transaction, from countersignd transaction list."
}

extension APIRequest.IdempotencyKey: ArgumentValue {
    static var valueName: String { "KEY" }
}

/// `--idempotency-key`, for commands that create something.
struct IdempotencyOption: Sendable {
    @Option(
        "idempotency-key",
        help: "A name for this request. Repeated with the same name, it has effect only once."
    )
    private var given: APIRequest.IdempotencyKey?

    /// The key from the command line, or a random key.
    func key() throws(CommandFailure) -> APIRequest.IdempotencyKey {
        if let given { return given }
        let name = try translatingSystemFailure(randomBytes(count: 16), to: CommandFailure.init(_:))
        return APIRequest.IdempotencyKey(checked: TextEncoding.hexadecimal.encode(name.span))
    }
}
