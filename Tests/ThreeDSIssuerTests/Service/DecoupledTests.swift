import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite struct `A decoupled authentication` {
    private static let wish: [String: String?] = [
        "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""00010""#,
    ]

    /// A world in which a purchase waits for the person, and the identifier of its authentication.
    private func waiting(
        _ version: ProtocolVersion = .twoTwo,
        _ channel: DeviceChannel = .browser
    ) async throws -> (IssuerWorld, String) {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        let answer = try await world.answer(
            SampleRequest(version, channel, .payment, Self.wish)
        )
        #expect(answer["transStatus"]?.text == "D", "\(answer["errorDetail"]?.text ?? "")")
        #expect(answer["acsDecConInd"]?.text == "Y")
        let id = try #require(answer["acsTransID"]?.text)
        #expect(world.verifier.transaction(id) == nil)
        try await world.work()
        #expect(world.verifier.transaction(id) != nil)
        return (world, id)
    }

    @Test func `is approved later, without a message of the shopper`() async throws {
        for version in [ProtocolVersion.twoTwo, .twoThree] {
            for channel in [DeviceChannel.browser, .requestor] {
                let (world, id) = try await waiting(version, channel)
                world.verifier.approve(id)
                for _ in 0..<2 { try await world.work() }
                let result = try #require(world.directory.results.first)
                #expect(world.directory.results.count == 1)
                #expect(result["transStatus"]?.text == "Y")
                #expect(result["authenticationValue"]?.text?.count == 28)
            }
        }
    }

    @Test func `ends with one result if the person does not decide`() async throws {
        let (world, id) = try await waiting()
        world.verifier.end(id, as: #""state":"expired""#)
        for _ in 0..<2 { try await world.work() }
        let result = try #require(world.directory.results.first)
        #expect(world.directory.results.count == 1)
        #expect(result["transStatusReason"]?.text == "14")
        #expect(result["challengeCancel"]?.text == "03")
    }

    @Test func `ends although the verifier was never reached`() async throws {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        let answer = try await world.answer(SampleRequest(.twoTwo, .browser, .payment, Self.wish))
        #expect(answer["transStatus"]?.text == "D")
        world.verifier.set(isReachable: false)
        for _ in 0..<8 {
            try await world.work()
            world.advance(seconds: 60)
        }
        #expect(world.directory.results.first?["transStatus"]?.text == "N")
        // No call reached the verifier, so there is nothing to take back.
        world.verifier.set(isReachable: true)
        for _ in 0..<3 { try await world.work() }
        #expect(world.verifier.calls.count { $0.hasPrefix("P") } == 0)
        #expect(world.directory.results.count == 1)
    }

    @Test func `takes its transaction back after a lost response`() async throws {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        _ = try await world.answer(SampleRequest(.twoTwo, .browser, .payment, Self.wish))
        world.verifier.loseNextResponse()
        try await world.service.orderAndWithdrawTransactions()
        world.verifier.set(isReachable: false)
        for _ in 0..<8 {
            try await world.work()
            world.advance(seconds: 60)
        }
        #expect(world.directory.results.first?["transStatus"]?.text == "N")
        world.verifier.set(isReachable: true)
        for _ in 0..<3 { try await world.work() }
        #expect(world.verifier.isWithdrawn)
        #expect(world.directory.results.count == 1)
    }
}
