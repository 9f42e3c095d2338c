import AuthenticationHandler
import CommandLineTool
import Synchronization

/// Waits for one transaction, has a person decide on it, and tells where to go from there.
struct FetchCommand: Command {
    static let name = "fetch"
    static let summary = "Wait for one request, decide on it, and print where the bank goes on."
    static let discussion = """
        Shows what waits longest, or else the next that comes, for you to approve, to reject or to
        leave for later. Once it is decided, the address at which the bank goes on is printed, if there
        is one, and nothing besides. After a wrong PIN, and where you were not recognised, you are asked
        again while that is of use. What the bank repeats under the same reference is not shown again.

        What is left for later goes on waiting, and so does what nobody is asked about where there is
        no terminal: the exit code is 1, and nothing is printed.
        """

    static let parameters: [any Parameter] = [
        Approval.method, SecretSource.descriptor, Flag.json, Session.vault,
    ]

    private let method: Method?
    private let descriptor: OpenDescriptor?
    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        method = try arguments[Approval.method]
        descriptor = try arguments[SecretSource.descriptor]
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await Session(in: vault)
        let secrets = session.secrets(on: descriptor, or: terminal)
        // Listening begins before the first look: nothing comes between the two unheard.
        let pushes = try await session.pushes()
        if let result = try await fetch(in: session, askingBy: secrets) {
            return try show(result, on: terminal)
        }
        if terminal.hasPerson { try terminal.messages.print("Waiting for a request.") }
        for await _ in pushes {
            if let result = try await fetch(in: session, askingBy: secrets) {
                return try show(result, on: terminal)
            }
        }
        throw try await session.endOfPushes()
    }

    /// Nil where nothing waits that was not seen before.
    ///
    /// Whoever said yes and could not prove who he is is asked for the same one again.
    private func fetch(
        in session: Session,
        askingBy secrets: SecretSource
    ) async throws(CommandFailure) -> ApprovalResult? {
        var asked: Asked?
        while true {
            let asking = Mutex(Asking(again: asked))
            let result: ApprovalResult?
            do throws(AuthenticationError) {
                result = try await session.handler.fetchAuthnRequest { transaction in
                    let approval = Approval(
                        transaction: transaction,
                        handler: session.handler,
                        secrets: secrets
                    )
                    return asking.withLock { $0.decision(on: approval, by: method) }
                }
            } catch {
                guard let (id, type) = asking.withLock({ $0.approved }) else {
                    throw CommandFailure(error)
                }
                let types = try Proving(secrets: secrets).offer(after: error, of: type)
                asked = Asked(id: id, types: types)
                continue
            }
            if let failure = asking.withLock({ $0.failure }) { throw failure }
            return result
        }
    }

    private func show(_ result: ApprovalResult, on terminal: Terminal) throws(CommandFailure) {
        let id = result.transactionID
        let decision: DecisionMade
        switch result.outcome {
        case .approved(let type): decision = .approved(type)
        case .rejected(let reason): decision = .rejected(reason)
        case .undecided:
            throw CommandFailure(
                .refused,
                "nothing was decided, and the request goes on waiting",
                hint: "countersign approve \(id), or countersign reject \(id)"
            )
        }
        let url = if case .url(let url) = result.wayBack { url } else { String?.none }
        let shown = ShownDecision(decision, on: id, goingTo: url)
        if printsJSON {
            try terminal.output.print(json: shown)
        } else {
            try terminal.messages.print("\(shown.state) \(id)")
            if let url { try terminal.output.print(url) }
        }
        if result.wayBack == .refused {
            try terminal.messages.print("The bank named an address that it does not allow.")
        }
    }
}

/// What a person said yes to, and how he may still prove who he is.
private struct Asked {
    let id: String
    let types: [AuthenticationType]
}

/// One time of asking, and what came of it.
private struct Asking {
    let again: Asked?
    private(set) var failure: CommandFailure?
    /// What a person said yes to, and by what he wanted to prove who he is.
    private(set) var approved: (id: String, type: AuthenticationType)?

    init(again: Asked?) { self.again = again }

    mutating func decision(on approval: Approval, by method: Method?) -> UserDecision {
        let id = approval.transaction.id
        do throws(CommandFailure) {
            let decision =
                if let again, again.id == id {
                    try approval.approval(by: again.types)
                } else {
                    try approval.ask(for: method)
                }
            approved = decision.type.map { (id, $0) }
            return decision
        } catch {
            failure = error
            return .undecided
        }
    }
}

extension UserDecision {
    /// By what it is approved; nil where it is not.
    fileprivate var type: AuthenticationType? {
        switch self {
        case .userPIN: .userPIN
        case .consent: .consent
        case .biometrics: .biometric
        default: nil
        }
    }
}
