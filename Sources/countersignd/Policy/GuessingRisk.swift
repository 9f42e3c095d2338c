import Verification

/// The risk of guessing under a policy, which a manager and an auditor compare with the maximum
/// (SEC-06).
struct GuessingRisk {
    /// The maximum of every policy.
    static let maximum = GuessProbability.ceilingSentence

    let sentences: [String]

    init(of policy: EnterprisePolicy) {
        let probability = policy.guessProbability
        sentences = [
            probability.sentence(), probability.sentenceUntilBlock,
            GuessProbability.sharingSentence,
        ]
    }

    /// Nil for a policy of another version, with members that this program does not know.
    init?(ofDocument text: String) {
        // The verifier accepted it, so the reason does not matter: `try?`.
        guard let policy = try? EnterprisePolicy(document: text) else { return nil }
        self.init(of: policy)
    }
}
