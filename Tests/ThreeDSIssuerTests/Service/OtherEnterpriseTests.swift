import Storage
import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

/// The member `enterprise` was changed, and the account of the card is one of the former enterprise.
@Suite(.onAnyStore) struct `A card of another enterprise` {
    private static let wish: [String: String?] = [
        "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""00010""#,
    ]

    private let former: IssuerWorld

    init() async throws {
        former = try await IssuerWorld { $0.offersDecoupled = true }
        try await former.addCard()
    }

    /// The same store and verifier, with another member `enterprise`.
    private func changed() async throws -> IssuerWorld {
        former.verifier.set(enterprise: "other")
        return try await IssuerWorld(restarting: former)
    }

    @Test func `gets no challenge, and its reference is reported`() async throws {
        let world = try await changed()
        let answer = try await world.answer(SampleRequest())
        #expect(answer["transStatus"]?.text == "U" && answer["transStatusReason"]?.text == "22")
        #expect(world.verifier.calls.isEmpty)
        #expect(world.refusals == ["card-1 otherEnterprise"])
    }

    @Test func `is not approved by a person of the same account id`() async throws {
        let request = SampleRequest(.twoTwo, .browser, .payment, Self.wish)
        #expect(try await former.answer(request)["transStatus"]?.text == "D")
        let count = former.verifier.calls.count
        let world = try await changed()
        for _ in 0..<2 { try await world.work() }
        #expect(!world.verifier.calls.dropFirst(count).contains { $0.contains("/accounts/") })
        let result = try #require(world.directory.results.first)
        #expect(result["transStatus"]?.text == "U" && result["transStatusReason"]?.text == "22")
    }
}
