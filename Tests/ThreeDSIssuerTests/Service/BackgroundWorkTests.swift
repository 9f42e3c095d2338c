import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

/// The background work as it runs in a process, which it wakes itself by its own changes.
@Suite(.timeLimit(.minutes(5))) struct `The background work of an ACS` {
    /// Almost the pause after a failed call.
    ///
    /// A change that comes during the first call begins a second one at once, and a pause follows in
    /// each case.
    private static let pause = Duration.milliseconds(900)

    /// How long three calls with this end take, of which none was made before.
    private func timeOfThreeCalls(
        _ end: String,
        in world: IssuerWorld
    ) async throws -> Duration {
        let start = ContinuousClock.now
        try await waitUntil { world.verifier.calls.count { $0.hasSuffix(end) } >= 3 }
        return ContinuousClock.now - start
    }

    @Test func `pauses if a transaction cannot be withdrawn, also while an app waits`()
        async throws
    {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.refuse("/withdrawal", with: "unauthorized")
        let cancel = try sdk.sealed([("challengeCancel", .string("01"))])
        let work = Task { await world.service.run() }
        let response = Task { [service = world.service] in
            try await service.response(toApp: cancel)
        }
        #expect(try await timeOfThreeCalls("/withdrawal", in: world) > Self.pause)
        world.verifier.refuse("/withdrawal", with: nil)
        guard case .sealed = try await response.value else {
            Issue.record("no CRes")
            return
        }
        work.cancel()
        await work.value
    }
}
