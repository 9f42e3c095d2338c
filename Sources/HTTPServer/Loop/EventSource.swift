/// A connection or a listening socket, whose descriptor a loop watches.
///
/// Everything is called on the loop's thread.
protocol EventSource: AnyObject, Sendable {
    /// The descriptor became readable or writable.
    func handle(_ readiness: Readiness)
    /// Called regularly, for deadlines.
    func check(at now: ContinuousClock.Instant)
    func end(_ ending: Ending)
}

enum Ending {
    /// Requests in progress are completed first.
    case graceful
    case atOnce
}
