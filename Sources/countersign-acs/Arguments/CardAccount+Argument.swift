import CommandLineTool
import ThreeDSIssuer

extension CardAccount: ArgumentValue {
    package static var valueName: String { "ACCOUNT" }
    package static var expectation: String {
        "ENTERPRISE/TYPE/ID, each with 1 to 64 ASCII letters, digits, dots, underscores or hyphens"
    }

    package init?(argument: String) { self.init(argument) }

    static let help = "The account at the verifier, such as bank/main/4711."
}
