/// The outcome of a closed transaction; the raw values are part of the protocol.
public enum FinalState: String, CaseIterable, Codable, Sendable {
    case approved
    case rejected
    /// The bank withdrew it.
    case withdrawn
    /// The verifier was restored from a backup.
    case void
}
