import CommandLineTool
import ThreeDSIssuer
import Transactions

extension CardReference: ArgumentValue {
    package static var valueName: String { "REFERENCE" }
    package static var expectation: String {
        "16 hexadecimal digits, from countersign-acs card list"
    }

    /// Another text can be a card number, which no message may contain.
    package init?(argument: String) {
        guard argument.utf8.count == 16, argument.allSatisfy("0123456789abcdef".contains) else {
            return nil
        }
        self.init(argument)
    }

    static let help = "The reference of the card, from countersign-acs card list."
}
