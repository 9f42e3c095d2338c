/// The settings that all connections of a server share.
final class Service: Sendable {
    let handler: Server.Handler
    let explanation: Server.Explanation
    let observer: Server.RefusalObserver
    let limits: Limits
    let deadlines: Deadlines
    /// The number of connections per loop at which only a quarter of all is free.
    let pressureThreshold: Int

    init(
        _ handler: @escaping Server.Handler,
        _ explanation: @escaping Server.Explanation,
        _ observer: @escaping Server.RefusalObserver,
        _ limits: Limits,
        _ deadlines: Deadlines,
        loopCount: Int
    ) {
        self.handler = handler
        self.explanation = explanation
        self.observer = observer
        self.limits = limits
        self.deadlines = deadlines
        pressureThreshold = limits.connections / loopCount * 3 / 4
    }
}
