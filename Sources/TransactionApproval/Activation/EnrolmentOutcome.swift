/// The result for one account of a commit; the raw values are part of the protocol.
public enum EnrolmentOutcome: String, CaseIterable, Codable, Sendable {
    case enrolled
    case tooManyDevices
    /// Another account replaced it after the offer.
    case accountReplaced
}
