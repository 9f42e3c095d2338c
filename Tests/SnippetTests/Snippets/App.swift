import AuthenticationHandler

/// The app around the examples.
protocol App: Sendable {
    var handler: AuthenticationHandler { get }

    func show(_ sentence: String)
    func log(_ line: String)
    func open(_ url: String)
    func ask(_ purpose: String) async -> [UInt8]
    func askNumber(_ digitCount: Int) async -> String
    func decision(on transaction: PendingTransaction) async -> Bool?
    func offerToReject(_ transaction: PendingTransaction, until end: LockEnd?)
}
