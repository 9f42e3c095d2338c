/// The result of verifying a code.
public enum CodeVerdict: Equatable, Sendable {
    /// The code is correct; store `next` before you report the result.
    case accepted(next: Counter)
    case rejected
    /// The counter has reached its end: no further code can be accepted.
    case counterExhausted
}
