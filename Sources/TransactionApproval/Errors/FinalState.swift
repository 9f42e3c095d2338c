/// How a transaction ended before anybody decided again; the raw values go over the network.
public enum FinalState: String, CaseIterable, Codable, Sendable {
    case approved
    case rejected
    /// The bank took it back.
    case withdrawn
    /// The verifier was restored from a backup meanwhile.
    case void
}
