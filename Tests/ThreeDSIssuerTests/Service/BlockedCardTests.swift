import JOSE
import PrivateFiles
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import VerifierWorld

@testable import ThreeDSIssuer

/// A bank blocks a stolen card while a thief waits for an approval.
@Suite(.onAnyStore) struct `A challenge whose card is no longer active` {
    private let world: IssuerWorld
    private let sdk: ModelSDK
    private let card: CardReference

    init() async throws {
        world = try await IssuerWorld()
        card = try await world.addCard().reference
        sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
    }

    private func expectEnd(
        _ status: String,
        _ reason: String?,
        of sdk: ModelSDK? = nil
    ) async throws {
        let sdk = sdk ?? self.sdk
        let world = sdk.world
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.count == 1)
        let result = try #require(world.directory.results.first)
        #expect(result["transStatus"]?.text == status)
        #expect(result["transStatusReason"]?.text == reason)
        #expect((result["authenticationValue"] == nil) == (status != "Y"))
        let final = try await sdk.request()["transStatus"]?.text
        #expect(final == (status == "Y" ? "Y" : "N"))
    }

    @Test func `is not authenticated after a block, although the person approves`() async throws {
        #expect(try await world.service.setBlocked(true, of: card) != nil)
        world.verifier.approve(sdk.acsTransID)
        try await expectEnd("N", "12")
    }

    @Test func `is not authenticated after a removal`() async throws {
        #expect(try await world.service.remove(card))
        world.verifier.approve(sdk.acsTransID)
        try await expectEnd("N", "12")
    }

    @Test func `is authenticated if the block ended before`() async throws {
        for isBlocked in [true, false] {
            #expect(try await world.service.setBlocked(isBlocked, of: card) != nil)
        }
        world.verifier.approve(sdk.acsTransID)
        try await expectEnd("Y", nil)
    }

    @Test func `has the reason of the person if they reject`() async throws {
        #expect(try await world.service.setBlocked(true, of: card) != nil)
        world.verifier.end(sdk.acsTransID, as: #""state":"rejected""#)
        try await expectEnd("N", "01")
    }

    @Test func `keeps the result that was decided before the block`() async throws {
        world.directory.set(isReachable: false)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await world.service.setBlocked(true, of: card) != nil)
        world.directory.set(isReachable: true)
        world.advance(seconds: 10)
        try await expectEnd("Y", nil)
    }

    /// The step has read the card before the block, and writes after it.
    @Test func `is not authenticated if the block comes before the write`() async throws {
        typealias Action = @Sendable () async throws -> Void
        let nextAction = LockedValue<Action?>(nil)
        let world = try await IssuerWorld.over {
            InterleavedDatabase($0) {
                let action = nextAction.withLock { action in
                    defer { action = nil }
                    return action
                }
                try await action?()
            }
        }
        let card = try await world.addCard().reference
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        let node = try await IssuerWorld(joining: world)
        nextAction.withLock { $0 = { _ = try await node.service.setBlocked(true, of: card) } }
        try await expectEnd("N", "12", of: sdk)
        #expect(nextAction.withLock { $0 == nil })
    }
}
