/// The result of a deletion.
public enum Deletion: Equatable, Sendable {
    case everywhere
    case localOnly(AuthenticationError)
}
