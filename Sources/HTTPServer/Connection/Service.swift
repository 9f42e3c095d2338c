/// What is the same for all connections of a server.
final class Service: Sendable {
    let handler: Server.Handler
    let explanation: Server.Explanation
    let limits: Limits
    let deadlines: Deadlines
    /// How many connections of one loop leave a quarter of all free.
    let crowd: Int

    init(
        _ handler: @escaping Server.Handler,
        _ explanation: @escaping Server.Explanation,
        _ limits: Limits,
        _ deadlines: Deadlines,
        loopCount: Int
    ) {
        self.handler = handler
        self.explanation = explanation
        self.limits = limits
        self.deadlines = deadlines
        crowd = limits.connections / loopCount * 3 / 4
    }
}
