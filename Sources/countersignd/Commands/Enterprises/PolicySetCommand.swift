import CommandLineTool
import TransactionApproval
import Verifier

/// Gives an enterprise its policy, or makes one with it.
struct PolicySetCommand: Command {
    static let name = "policy set"
    static let summary = "Give an enterprise its policy, or make a new enterprise with it."
    static let discussion = """
        The policy is a JSON object; the README lists its members. Each that is absent has the
        standard value: {} asks for the PIN, and takes no token that was made elsewhere.

            {"authentication": ["userPIN", "biometric"], "leastTokenDigits": 6}

        It takes the place of all that was set before: countersignd policy show ENTERPRISE gives
        what that is. A policy that is laxer than the law allows, or that makes guessing a code
        likelier than once in ten thousand, is refused.
        """

    static let enterprise = Argument<String>("ENTERPRISE", help: "The name of the enterprise.")
    static let file = Argument<FilePath>(help: "The policy; - reads standard input.")
    static let new = Flag("new", help: "Make the enterprise: no other has this name.")
    static let parameters: [any Parameter] = [enterprise, file, new, Configuration.option]

    private let path: String
    private let enterprise: EnterpriseID
    private let file: FilePath
    private let isNew: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        enterprise = try EnterpriseID(argument: arguments[Self.enterprise], of: "ENTERPRISE")
        file = try arguments[Self.file]
        isNew = arguments[Self.new]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        let bytes = try file.contents(atMost: 1 << 20)
        guard let document = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.malformedInput, "\(file.shownName): the policy is no UTF-8")
        }
        let installation = Installation(configuration: configuration)
        let answer = try await installation.withVerifier { verifier throws(CommandFailure) in
            do throws(Verifier.Failure) {
                return try await set(document, by: verifier)
            } catch .policy(let failure) {
                throw CommandFailure(failure, readFrom: file.shownName, bytes)
            } catch {
                throw CommandFailure(error, of: configuration)
            }
        }
        switch answer {
        case .done, .unchanged:
            try terminal.output.print("\(enterprise) has the policy of \(file.shownName)")
            // It was read a moment ago, or it would not have been set.
            if let guess = try? EnterprisePolicy(document: document).guessProbability {
                try terminal.output.print(guess.text)
            }
        case .unknownEnterprise: throw .unknownEnterprise(hint: "; with --new it is made")
        case .enterpriseExists:
            throw CommandFailure(
                .cannotCreate,
                "there is an enterprise of this name, with another policy",
                hint: "without --new it gets this one"
            )
        }
    }

    private func set(
        _ document: String,
        by verifier: Verifier
    ) async throws(Verifier.Failure) -> Verifier.PolicyAnswer {
        if isNew {
            try await verifier.addEnterprise(enterprise, policy: document, by: .operatorCommand)
        } else {
            try await verifier.setPolicy(document, of: enterprise, by: .operatorCommand)
        }
    }
}

extension GuessProbability {
    /// What an auditor compares with the ceiling (SEC-06).
    fileprivate var text: String {
        """
        Until a code locks, guessing succeeds
            for a stranger          once in \(odds(stranger))
            for a thief of a device once in \(odds(thief)), \(odds(thiefUntilBlock)) until it is blocked
        """
    }

    private func odds(_ probability: Double) -> String { String(Int(1 / probability)) }
}

extension CommandFailure {
    static func unknownEnterprise(hint: String = "") -> CommandFailure {
        CommandFailure(
            .noInput,
            "there is no enterprise of this name",
            hint: "countersignd enterprise list shows those that there are" + hint
        )
    }

    fileprivate init(_ failure: EnterprisePolicy.Failure, readFrom name: String, _ bytes: [UInt8]) {
        switch failure {
        case .document(let failure):
            self.init(.malformedInput, "\(name): \(failure.reason(in: bytes))")
        case .member(let pointer):
            self.init(
                .malformedInput,
                "\(name): the member \(memberName(pointer)) is not what it may be",
                hint: "the README lists what each may be"
            )
        case .guessing:
            self.init(
                .malformedInput,
                "\(name): a code could be guessed too easily",
                hint: "take a smaller lookAhead or lock.failures, or a larger pin.leastDigits or "
                    + "leastTokenDigits"
            )
        }
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
