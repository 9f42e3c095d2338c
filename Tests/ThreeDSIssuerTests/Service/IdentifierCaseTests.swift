import JOSE
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

/// RFC 9562, section 4: letters of either case write the same identifier.
@Suite(.onAnyStore) struct `A dsTransID in capital letters` {
    private static let id = "4317FDC3-AD24-5443-8000-0000000008AB"
    private static let element = #""\#(id)""#

    /// A world in which a purchase with this identifier is approved.
    private func approvedWorld() async throws -> (world: IssuerWorld, acsTransID: String) {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world, .twoTwo, .a128GCM, ["dsTransID": Self.element])
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        return (world, sdk.acsTransID)
    }

    private func verdict(
        _ id: String,
        in world: IssuerWorld
    ) async throws -> AuthenticationValueVerdict? {
        let result = try #require(world.directory.results.first)
        let value = try #require(result["authenticationValue"]?.text)
        let check = ValueCheck(
            value: try #require(AuthenticationValue(value)),
            dsTransID: id,
            card: .reference(try #require(CardReference("card-1"))),
            amount: try SampleWorld.euro(4711)
        )
        guard case .checked(let result) = try await world.service.outcome(of: check) else {
            return nil
        }
        return result.verdict
    }

    @Test func `is in each message as the directory server wrote it`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let request = SampleRequest(.twoTwo, .browser, .payment, ["dsTransID": Self.element])
        let response = try #require(try await world.send(request))
        let members = try JSONValue(reading: response, limits: .message)
        #expect(members["dsTransID"]?.text == Self.id)
        #expect(try await world.send(request) == response)
        let approved = try await approvedWorld().world
        #expect(approved.directory.results.first?["dsTransID"]?.text == Self.id)
    }

    @Test func `is found in either case`() async throws {
        let (world, _) = try await approvedWorld()
        let mixed = "4317FDC3-ad24-5443-8000-0000000008aB"
        #expect(try await verdict(Self.id.lowercased(), in: world) == .valid)
        #expect(try await verdict(Self.id, in: world) == .alreadyUsed)
        #expect(try await verdict(mixed, in: world) == .alreadyUsed)
        // Another AReq must not have it, in whatever case.
        let element = #""\#(Self.id.lowercased())""#
        let answer = try await world.answer(
            SampleRequest(.twoTwo, .browser, .payment, ["dsTransID": element])
        )
        #expect(answer["errorCode"]?.text == "301")
    }
}
