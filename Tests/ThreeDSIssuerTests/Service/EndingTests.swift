import StrictJSON
import Testing

@testable import ThreeDSIssuer

@Suite struct `A request while the process ends` {
    @Test func `gets a response at once, and the work goes on`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.directory.set(isReachable: false)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        let start = ContinuousClock.now
        // It waits for the acknowledgement of the result.
        let request = try sdk.sealed()
        let service = world.service
        async let page = service.response(toApp: request)
        service.endWaits()
        guard case .sealed = try await page else {
            Issue.record("the request is refused")
            return
        }
        #expect(ContinuousClock.now - start < .seconds(7))
        world.directory.set(isReachable: true)
        world.advance(seconds: 10)
        try await world.work()
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
    }
}
