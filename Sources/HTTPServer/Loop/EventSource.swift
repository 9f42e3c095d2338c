/// What a loop watches descriptors for: a connection, or the sockets that connections come from.
///
/// All of it is called on the loop's thread.
protocol EventSource: AnyObject, Sendable {
    /// Something can be done that could not.
    func handle(_ readiness: Readiness)
    /// Comes every now and then, for deadlines.
    func check(at now: ContinuousClock.Instant)
    func end(_ ending: Ending)
}

enum Ending {
    /// Whatever was begun is brought to its end.
    case graceful
    case atOnce
}
