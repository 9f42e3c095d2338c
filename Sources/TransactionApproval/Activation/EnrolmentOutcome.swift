/// What became of one account of a commit; the raw values go over the network.
public enum EnrolmentOutcome: String, CaseIterable, Codable, Sendable {
    case enrolled
    /// The account has as many devices as the bank allows.
    case tooManyDevices
    /// Another account took its place since it was offered.
    case accountReplaced
}
