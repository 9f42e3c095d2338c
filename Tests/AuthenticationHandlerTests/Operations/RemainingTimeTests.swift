import Testing

@testable import AuthenticationHandler
@testable import TransactionApproval

@Suite struct `The remaining time` {
    private let now = ScriptedServer.now

    @Test(arguments: [(Duration.seconds(95), Duration.seconds(95)), (.zero, .zero)])
    func `ends at its moment, and is never negative`(_ distance: Duration, _ time: Duration) {
        #expect((now + distance).remainingTime(at: now) == time)
        #expect(now.remainingTime(at: now + .seconds(1) + distance) == .zero)
    }

    @Test(arguments: [-400, 0, 400])
    func `is by the verifier's clock`(_ seconds: Int) {
        let offset = Duration.seconds(seconds)
        let time = (systemTime() + offset + .seconds(95)).remainingTime(clockOffset: offset)
        #expect((.seconds(60)...Duration.seconds(95)).contains(time))
    }

    @Test func `of a transaction ends at its deadline`() throws {
        let transaction = try PendingTransaction(
            .sample(),
            nil,
            for: .sample(),
            offering: [],
            clockOffset: now.elapsed(since: systemTime())
        )
        #expect((.seconds(85)...Duration.seconds(120)).contains(transaction.remainingTime))
    }
}
