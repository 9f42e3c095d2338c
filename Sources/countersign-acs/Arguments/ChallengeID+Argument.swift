import CommandLineTool
import ThreeDSIssuer

extension ChallengeID: ArgumentValue {
    package static var valueName: String { "CHALLENGE" }
    package static var expectation: String { "an acsTransID, which has 36 characters" }

    package init?(argument: String) { self.init(argument) }

    static let help = "The acsTransID of the challenge, from countersign-acs challenge list."
}
