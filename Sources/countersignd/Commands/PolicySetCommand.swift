import CommandLineTool
import TransactionApproval
import Verifier

/// Gives an enterprise its policy, and makes the enterprise.
struct PolicySetCommand: Command {
    static let name = "policy set"
    static let summary = "Give an enterprise its policy, and make it if it is new."
    static let discussion = """
        The policy is a JSON object; the README lists its members. Each that is absent has the
        standard value: {} asks for the PIN, and takes no token that was made elsewhere.

            {"authentication": ["userPIN", "biometric"], "leastTokenDigits": 6}

        A policy that is laxer than the law allows, or that makes guessing a code likelier than
        once in ten thousand, is refused.
        """

    static let enterprise = Argument<String>("ENTERPRISE", help: "The name of the enterprise.")
    static let file = Argument<FilePath>(help: "The policy; - reads standard input.")
    static let parameters: [any Parameter] = [enterprise, file, Configuration.option]

    private let path: String
    private let enterprise: EnterpriseID
    private let file: FilePath

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        enterprise = try EnterpriseID(argument: arguments[Self.enterprise], of: "ENTERPRISE")
        file = try arguments[Self.file]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        let bytes = try file.contents(atMost: 1 << 20)
        guard let document = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.malformedInput, "\(file.shownName): the policy is no UTF-8")
        }
        try await Installation(configuration: configuration).withVerifier {
            verifier throws(CommandFailure) in
            do throws(Verifier.Failure) {
                try await verifier.setPolicy(document, of: enterprise, by: .operatorCommand)
            } catch .policy(let failure) {
                throw CommandFailure(
                    .malformedInput,
                    "\(file.shownName): the policy breaks the rule of \(failure.rule)"
                )
            } catch {
                throw CommandFailure(error, of: configuration)
            }
        }
        try terminal.output.print("\(enterprise) has the policy of \(file.shownName)")
    }
}

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

extension EnterprisePolicy.Failure {
    /// The member of the document, where it is one.
    fileprivate var rule: String {
        switch self {
        case .document: "what may stand in a policy"
        case .guessing: "how likely guessing may be: take a smaller lookAhead or more digits"
        case .push(let failure): "\(failure)"
        case .lock(let failure): "lock.\(failure)"
        default: "\(self)"
        }
    }
}
