import CommandLineTool
import ThreeDSIssuer

extension CardAccount: ArgumentValue {
    package static var valueName: String { "ACCOUNT" }
    package static var expectation: String { "ENTERPRISE/TYPE/ID, such as bank/main/4711" }

    package init?(argument: String) { self.init(argument) }

    static let help = "The account at the verifier, such as bank/main/4711."
}
