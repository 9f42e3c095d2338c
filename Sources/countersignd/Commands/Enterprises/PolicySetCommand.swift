import CommandLineTool
import TransactionApproval
import Verification

/// Gives an enterprise its policy, or makes one with it.
struct PolicySetCommand: BankCommand {
    static let name = "policy set"
    static let summary = "Give an enterprise its policy, or make a new enterprise with it."
    static let discussion = """
        The policy is a JSON object; the README lists its members. Each that is absent has the
        standard value: {} asks for the PIN, and takes no token that was made elsewhere.

            {"authentication": ["userPIN", "biometric"], "minimumTokenDigits": 6}

        It takes the place of all that was set before: countersignd policy show ENTERPRISE gives
        what that is. A policy that is laxer than the law allows, or that makes guessing a code
        likelier than once in ten thousand, is refused.

        \(APIEndpoint.discussion)
        """

    static let enterprise = Argument<String>("ENTERPRISE", help: "The name of the enterprise.")
    static let file = Argument<FilePath>(help: "The policy; - reads standard input.")
    static let new = Flag("new", help: "Make the enterprise: no other has this name.")
    static let parameters: [any Parameter] = [enterprise, file, new] + APIEndpoint.parameters

    let way: APIEndpoint
    private let enterprise: EnterpriseID
    private let file: FilePath
    private let isNew: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        enterprise = try EnterpriseID(partOfPath: arguments[Self.enterprise])
        file = try arguments[Self.file]
        isNew = arguments[Self.new]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let bytes = try file.contents(atMost: 1 << 20)
        let policy = try policy(in: bytes)
        try await bank.ask(
            isNew
                ? .making(enterprise, with: bytes) : .policy(.put, of: enterprise, content: bytes)
        )
        try terminal.output.print("\(enterprise) has the policy of \(file.shownName)")
        try terminal.output.print(policy.guessProbability.text)
    }

    /// Read here as the verifier will, since here it can be told where what is wrong stands.
    private func policy(in bytes: [UInt8]) throws(CommandFailure) -> EnterprisePolicy {
        guard let document = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.malformedInput, "\(file.shownName): the policy is no UTF-8")
        }
        do throws(EnterprisePolicy.Failure) {
            return try EnterprisePolicy(document: document)
        } catch {
            throw CommandFailure(error, readFrom: file.shownName, bytes)
        }
    }
}

extension APIRequest {
    static func policy(
        _ method: Method,
        of enterprise: EnterpriseID,
        content: [UInt8]? = nil
    ) -> APIRequest {
        APIRequest(
            method,
            enterprise.path + "/policy",
            of: "enterprise",
            remedy: "countersignd enterprise list shows those that there are"
                + (method == .put ? "; with --new it is made" : ""),
            content: content
        )
    }

    fileprivate static func making(
        _ enterprise: EnterpriseID,
        with policy: [UInt8]
    ) -> APIRequest {
        APIRequest(.put, enterprise.path, of: "enterprise", content: policy)
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
                hint: "take a smaller lookAhead or lock.failures, or a larger pin.minimumDigits or "
                    + "minimumTokenDigits"
            )
        }
    }
}
