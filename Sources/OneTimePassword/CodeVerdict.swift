/// What a verification says about a code.
public enum CodeVerdict: Equatable, Sendable {
    /// The code is right; store `next` before telling anyone.
    case accepted(next: Counter)
    case rejected
    /// The counter stands at its end: no code can be accepted any more.
    case counterExhausted
}
