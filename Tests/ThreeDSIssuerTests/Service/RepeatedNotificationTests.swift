import Localization
import StrictJSON
import Testing

@testable import ThreeDSIssuer
@testable import ThreeDSProtocol

private let again = ("resendChallenge", JSONValue.string("Y"))

/// The responses of the verifier, and the words that follow.
private let responses = [
    (#"{"notified":true}"#, IssuerText.askedAgain),
    (#"{"notified":false,"reason":"tooSoon","retryAfterSeconds":9}"#, IssuerText.askedTooSoon),
    (#"{"notified":false,"reason":"tooOften"}"#, IssuerText.notAskedAgain),
    (#"{"notified":false,"reason":"muted"}"#, IssuerText.notAskedAgain),
    (#"{"notified":false,"reason":"noDevice"}"#, IssuerText.notAskedAgain),
    // A reason of a later version.
    (#"{"notified":false,"reason":"asleep"}"#, IssuerText.notAskedAgain),
    (#"{"notified":false}"#, IssuerText.notRequested),
    (#"{}"#, IssuerText.notRequested),
]

@Suite(.onAnyStore) struct `Another notification in an app` {
    private func asked() async throws -> (IssuerWorld, ModelSDK) {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        return (world, sdk)
    }

    @Test func `is one call for the same transaction, and the page has its result`()
        async throws
    {
        for (response, text) in responses {
            let (world, sdk) = try await asked()
            world.verifier.set(notifications: response)
            let page = try await sdk.request([again])
            #expect(page["challengeAddInfo"]?.text == text.text(in: .english), "\(response)")
            #expect(
                world.verifier.notificationCalls == [
                    "POST /bank/v1/enterprises/bank/accounts/main/4711/transactions/"
                        + "transaction-1/notifications"
                ]
            )
            #expect(world.verifier.calls.filter { $0.hasSuffix("/transactions") }.count == 1)
            // The next page has no such words.
            let next = try await sdk.request()
            #expect(next["challengeAddInfo"]?.text == IssuerText.notYet.text(in: .english))
            #expect(world.verifier.notificationCalls.count == 1)
        }
    }

    @Test func `is left to the verifier, also if the app wants many`() async throws {
        let (world, sdk) = try await asked()
        let sent = #"{"notified":true}"#
        world.verifier.set(notifications: sent, sent, responses[2].0)
        let (sentText, last) = (IssuerText.askedAgain, IssuerText.notAskedAgain)
        let texts = [sentText, sentText, last, last]
        for text in texts {
            let page = try await sdk.request([again])
            #expect(page["challengeAddInfo"]?.text == text.text(in: .english))
        }
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await sdk.request([again])["transStatus"]?.text == "Y")
        #expect(world.verifier.notificationCalls.count == texts.count)
    }

    @Test func `is not made for "N", and for a repeated message once`() async throws {
        let (world, sdk) = try await asked()
        _ = try await sdk.request([("resendChallenge", .string("N"))])
        #expect(world.verifier.notificationCalls.isEmpty)
        let body = try sdk.sealed([again])
        let first = try await world.service.response(toApp: body)
        #expect(try await world.service.response(toApp: body) == first)
        #expect(world.verifier.notificationCalls.count == 1)
    }

    @Test func `needs a transaction, which is created first`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        world.verifier.set(isReachable: false)
        _ = try await sdk.request()
        world.verifier.set(isReachable: true)
        let page = try await sdk.request([again])
        #expect(page["challengeAddInfo"]?.text == IssuerText.notYet.text(in: .english))
        #expect(world.verifier.transaction(sdk.acsTransID) != nil)
        #expect(world.verifier.notificationCalls.isEmpty)
    }

    @Test func `is reported to the shopper also if the verifier's response was lost`()
        async throws
    {
        for (second, text) in [responses[1], responses[2]] {
            let (world, sdk) = try await asked()
            world.verifier.set(notifications: responses[0].0, second)
            world.verifier.loseNextResponse()
            let page = try await sdk.request([again])
            #expect(page["challengeAddInfo"]?.text == text.text(in: .english))
            #expect(world.verifier.notificationCalls.count == 2)
        }
    }

    @Test func `cannot be made while the verifier is not reached, and the challenge goes on`()
        async throws
    {
        let (world, sdk) = try await asked()
        world.verifier.set(isReachable: false)
        let page = try await sdk.request([again])
        #expect(page["challengeAddInfo"]?.text == IssuerText.notRequested.text(in: .english))
        world.verifier.set(isReachable: true)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `changes nothing about a decision that was faster`() async throws {
        let (world, sdk) = try await asked()
        world.verifier.approve(sdk.acsTransID)
        let page = try await sdk.request([again])
        #expect(page["challengeAddInfo"]?.text == IssuerText.notYet.text(in: .english))
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }
}

@Suite(.onAnyStore) struct `Another notification in a browser` {
    @Test func `is one call for the same transaction, and the page has its result`()
        async throws
    {
        for (response, text) in responses {
            let shopper = try await Shopper.new()
            let handle = try await shopper.enter()
            shopper.world.verifier.set(notifications: response)
            let address = try #require(try await shopper.press(.again, on: handle))
            let page = try await shopper.text(at: address)
            #expect(page.contains(">\(text.text(in: .english))</p>"), "\(response)")
            #expect(shopper.world.verifier.notificationCalls.count == 1)
            // Loaded without the address of the button, the page only waits.
            let waiting = PageText.waiting.text(in: .english)
            #expect(try await shopper.text(of: handle).contains(">\(waiting)</p>"))
            #expect(shopper.world.verifier.notificationCalls.count == 1)
        }
    }

    @Test func `SEC-88: is not made without the token of the page`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        let response = try await shopper.world.service.response(
            to: .again,
            on: handle,
            form: Array("token=x".utf8)
        )
        guard case .page(let page) = response else { throw Shopper.Unexpected() }
        #expect(page.status == 404)
        #expect(shopper.world.verifier.notificationCalls.isEmpty)
    }

    @Test func `is not made after the decision`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        let token = try await shopper.token(of: handle)
        shopper.world.verifier.approve(shopper.acsTransID)
        try await shopper.world.work()
        #expect(try await shopper.press(.again, on: handle, token) != nil)
        #expect(shopper.world.verifier.notificationCalls.isEmpty)
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "Y")
    }
}
