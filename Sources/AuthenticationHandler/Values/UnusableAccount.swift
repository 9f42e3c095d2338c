/// An account on this device that cannot be used: nothing of it is fetched or listed.
public struct UnusableAccount: Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// Its file is damaged: it needs a new activation.
        case damaged
        /// Its secrets are missing: it needs a new activation.
        case secretsMissing
        /// The result of its activation is unknown until its verifier responds.
        case activationUnfinished
    }

    /// Nil if the file is damaged so that it has no name.
    public let account: Account?
    /// The name of its file in the vault.
    public let fileName: String
    public let reason: Reason
}
