import AuthenticationHandler
import CommandLineTool

/// An account to remove, by its name or by the name of its file in the vault.
enum RemovableAccount: ArgumentValue {
    case named(Account)
    /// Of an account that cannot be used.
    case file(String)

    static var valueName: String { Account.valueName }
    static var expectation: String {
        localized(
            "an account, as countersign accounts shows it, or the name of its file",
            german: "einen Zugang, wie countersign accounts ihn zeigt, oder den Namen seiner Datei"
        )
    }

    init?(argument: String) {
        if let account = Account(argument: argument) {
            self = .named(account)
        } else if argument.hasPrefix("account-") {
            self = .file(argument)
        } else {
            return nil
        }
    }
}

extension RemovableAccount: CustomStringConvertible {
    var description: String {
        switch self {
        case .named(let account): account.description
        case .file(let name): name
        }
    }
}
