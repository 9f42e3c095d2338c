import Testing
import TransactionApproval

@Suite struct `The clock of a signed request` {
    @Test(arguments: [-120_000, -119_999, -1, 0, 1, 120_000] as [Int64])
    func `may differ by 120 s`(milliseconds: Int64) throws {
        let exchange = try SignedExchange()
        guard
            case .authentic = try exchange.verdict(
                at: SignedExchange.now + .milliseconds(milliseconds)
            )
        else {
            Issue.record("not authentic")
            return
        }
    }

    /// The server's clock counts milliseconds.
    @Test(arguments: [-86_400_000, -121_000, -120_001, 120_001, 121_000, 86_400_000] as [Int64])
    func `beyond that is a clock skew, not a forgery`(milliseconds: Int64) throws {
        let exchange = try SignedExchange()
        let now = SignedExchange.now + .milliseconds(milliseconds)
        #expect(try exchange.verdict(at: now) == .clockSkew(exchange.request.reference))

        let response = ResponseMessage(status: 400, contentType: "application/json", body: [])
        let fields = try response.signedFields(
            respondingTo: exchange.request.reference,
            created: now,
            with: exchange.serverKey
        )
        let taken = try exchange.authentic(status: 400, fields: fields, body: [])
        #expect(try #require(taken).message == response)
        #expect(taken?.created.milliseconds == now.milliseconds / 1000 * 1000)
    }

    @Test func `is not reported to a sender without the key`() throws {
        let exchange = try SignedExchange()
        let fields = try SignedExchange().request.fields
        #expect(
            try exchange.verdict(fields: fields, at: SignedExchange.now + .seconds(121)) == .forged
        )
    }

    @Test func `may be the minimum or maximum time`() throws {
        let first = try #require(Timestamp(milliseconds: 0))
        let exchange = try SignedExchange(created: first)
        for (now, isSkewed) in [(first, false), (first + .seconds(120), false), (.latest, true)] {
            let verdict = try exchange.verdict(at: now)
            #expect((verdict == .clockSkew(exchange.request.reference)) == isSkewed)
        }
    }
}
