import AuthenticationHandler
import CommandLineTool

/// A person who proves who he is: by one way and, where that fails, by what is left.
struct Proving {
    let secrets: SecretSource

    private var terminal: Terminal { secrets.terminal }

    /// Has somebody at a terminal go on until `attempt` succeeds or nothing is left; without one, there
    /// is one attempt.
    func prove<Outcome: Sendable>(
        among types: [AuthenticationType],
        by attempt:
            (AuthenticationType) async throws(CommandFailure) -> Result<
                Outcome, AuthenticationError
            >
    ) async throws(CommandFailure) -> Outcome {
        var offered = types
        while true {
            let type = try choose(among: offered)
            switch try await attempt(type) {
            case .success(let outcome): return outcome
            case .failure(let failure): offered = try offer(after: failure, of: type)
            }
        }
    }

    /// The only one, or the one that a person names.
    func choose(
        among types: [AuthenticationType]
    ) throws(CommandFailure) -> AuthenticationType {
        guard let first = types.first else { throw CommandFailure(.authenticationTypeNotAllowed) }
        guard types.count > 1 else { return first }
        let words = types.map { Method($0).rawValue }
        let chosen = try terminal.choice("How?", among: words).flatMap { Method(rawValue: $0) }
        guard let chosen else {
            throw CommandFailure(
                .usage,
                "there are several ways to do this, and none was chosen",
                hint: "choose one by --with " + words.joined(separator: " or --with ")
            )
        }
        return chosen.type
    }

    /// What a person who is told of the failure may try now; throws it where nothing is left, or nobody
    /// is there.
    func offer(
        after failure: AuthenticationError,
        of type: AuthenticationType
    ) throws(CommandFailure) -> [AuthenticationType] {
        let told = CommandFailure(failure)
        let left = types(after: failure, of: type)
        guard !left.isEmpty, terminal.hasPerson else { throw told }
        try terminal.messages.print(told.message)
        // Nobody types anything there, so that nothing else would ever end it.
        guard left == [.biometric] else { return left }
        guard try terminal.choice("Try again?", among: ["yes", "no"]) == "yes" else { throw told }
        return left
    }

    private func types(
        after failure: AuthenticationError,
        of type: AuthenticationType
    ) -> [AuthenticationType] {
        if let offered = failure.offeredTypes { return offered }
        // A wrong PIN on a descriptor stays wrong.
        guard failure.code == .authenticationFailed, secrets.isPerson else { return [] }
        return (failure.attemptsLeft ?? 0) > 0 ? [type] : []
    }
}
