import CommandLineTool
import ThreeDSIssuer
import Transactions

extension CardReference: ArgumentValue {
    package static var valueName: String { "REFERENCE" }
    package static var expectation: String {
        "16 hexadecimal digits, from countersign-acs card list"
    }

    /// Another text can be a card number, which no message may contain.
    package init?(argument: String) { self.init(digits: argument.lowercased()) }

    static let help = "The reference of the card, from countersign-acs card list."
}
