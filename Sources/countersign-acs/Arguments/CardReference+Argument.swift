import CommandLineTool
import ThreeDSIssuer
import Transactions

extension CardReference: ArgumentValue {
    package static var valueName: String { "REFERENCE" }
    package static var expectation: String { "a reference from countersign-acs card list" }

    package init?(argument: String) { self.init(argument) }

    static let help = "The reference of the card, from countersign-acs card list."
}
