import CommandLineTool
import Cryptography
package import TransactionApproval
package import Verification

// What a person calls things on a command line.

extension TextIdentifier {
    /// Reads a name of ours from the command line.
    init(argument text: String, of parameter: String) throws(CommandFailure) {
        guard let identifier = Self(text) else {
            throw CommandFailure(
                .usage,
                "\(parameter) has 1 to 64 letters, digits, dots, lines and dashes"
            )
        }
        self = identifier
    }
}

extension EnterpriseID {
    /// Of what `.` and `..` stand for in a path, no enterprise can be asked for.
    init(partOfPath text: String) throws(CommandFailure) {
        try self.init(argument: [".", ".."].contains(text) ? "" : text, of: "ENTERPRISE")
    }
}

extension AccountReference: ArgumentValue {
    package static var valueName: String { "ACCOUNT" }
    package static var expectation: String { "ENTERPRISE/TYPE/ID, such as bank/main/4711" }

    package init?(argument: String) {
        let names = argument.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        guard
            names.count == 3, let enterprise = EnterpriseID(names[0]),
            let type = AccountType(names[1]), let id = AccountID(names[2]),
            names.allSatisfy({ ![".", ".."].contains($0) })
        else { return nil }
        self.init(enterprise: enterprise, key: AccountKey(type: type, id: id))
    }

    static let argument = Argument<AccountReference>(help: "Whose; such as bank/main/4711.")

    var text: String { "\(enterprise)/\(key)" }
}

extension ActivationID: ArgumentValue {
    package static var valueName: String { "ACTIVATION" }
    package static var expectation: String { "the 10 characters of an activation's id" }

    package init?(argument: String) { self.init(typed: argument) }

    static let argument = Argument<ActivationID>(help: "Its id.")
}

extension DeviceID: ArgumentValue {
    package static var valueName: String { "DEVICE" }
    package static var expectation: String { "the 32 characters of a device's id" }

    package init?(argument: String) { self.init(argument) }

    static let argument = Argument<DeviceID>(help: "Its id, as account show tells it.")
}

extension CredentialKind: ArgumentValue {
    static let argument = Argument<CredentialKind>(help: "Which credential of the device.")
}

extension TransactionID: ArgumentValue {
    package static var valueName: String { "TRANSACTION" }
    package static var expectation: String { "a transaction's id, as transaction list tells it" }

    package init?(argument: String) { self.init(argument) }

    static let argument = Argument<TransactionID>(help: "Its id.")
}

extension IdempotencyKey: ArgumentValue {
    package static var valueName: String { "KEY" }
    package static var expectation: String {
        "1 to 64 letters, digits, dots, lines and dashes"
    }

    package init?(argument: String) { self.init(argument) }

    static let option = Option<IdempotencyKey?>(
        "idempotency-key",
        help: "A name of your own: repeated under it, the command does nothing a second time."
    )

    /// The one that was given, or one that nobody else has.
    static func given(
        in arguments: ParsedArguments
    ) throws(CommandFailure) -> IdempotencyKey {
        if let key = try arguments[option] { return key }
        do throws(CryptographyFailure) {
            let name = try randomBytes(count: 16)
            return IdempotencyKey(checked: TextEncoding.hexadecimal.encode(name.span))
        } catch {
            throw CommandFailure(.internalFailure, "no random bytes can be had")
        }
    }
}
