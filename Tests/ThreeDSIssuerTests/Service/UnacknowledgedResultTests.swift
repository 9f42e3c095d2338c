import Storage
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

/// A response that does not acknowledge a result, with the error that it causes.
struct FaultyReply: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let reply: ResultReply
    let code: String
    /// The part of the response that the error names.
    var detail: String?

    static let late = FaultyReply(
        testDescription: "none in time",
        reply: .failure(.init("the response did not arrive in time", isTimeout: true)),
        code: "402"
    )

    /// The error that an app gets.
    var codeForApp: String { code == "402" ? "403" : code }

    private init(
        testDescription: String,
        reply: ResultReply,
        code: String,
        detail: String? = nil
    ) {
        (self.testDescription, self.reply) = (testDescription, reply)
        (self.code, self.detail) = (code, detail)
    }

    /// A response with status 200.
    init(_ text: String, _ code: String, _ detail: String? = nil) {
        self.init(
            testDescription: text,
            reply: .success(Array(text.utf8)),
            code: code,
            detail: detail
        )
    }
}

/// The members of an RRes of version 2.2.0 with a fault, and the error that it causes.
struct FaultyResults: CustomTestStringConvertible, Sendable {
    let members: String
    let code: String

    init(_ members: String, _ code: String) { (self.members, self.code) = (members, code) }

    var testDescription: String { members }

    func reply(to transaction: String) -> FaultyReply {
        FaultyReply(
            """
            {"messageType":"RRes","messageVersion":"2.2.0","acsTransID":"\(transaction)",\
            "threeDSServerTransID":"8a880dc0-d2d2-4067-bcb1-b08d1690b26e",\
            "dsTransID":"4317fdc3-ad24-5443-8000-000000000891",\
            "sdkTransID":"b2385523-a66c-4907-ac3c-91848e8c0067"\(members)}
            """,
            code,
            "resultsStatus"
        )
    }
}

@Suite(.onAnyStore) struct `A result that is not acknowledged` {
    private let world: IssuerWorld

    init() async throws {
        world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
    }

    /// A purchase in an app that the person has approved.
    private func approved(_ version: ProtocolVersion = .twoTwo) async throws -> ModelSDK {
        let sdk = try await ModelSDK(in: world, version)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        return sdk
    }

    private func workOn() async throws {
        for _ in 0..<4 {
            try await world.work()
            world.advance(seconds: 900)
        }
    }

    private func expectEnd(of sdk: ModelSDK, by faulty: FaultyReply) async throws {
        world.directory.respond(with: faulty.reply)
        try await world.work()
        for _ in 0..<2 {
            let error = try await sdk.request()
            #expect(error["errorCode"]?.text == faulty.codeForApp, "\(error)")
            #expect(error["errorComponent"]?.text == "A")
            #expect(error["acsTransID"]?.text == sdk.acsTransID)
        }
        try await workOn()
        let results = world.directory.results.filter { $0["acsTransID"]?.text == sdk.acsTransID }
        #expect(results.count == 1)
        let errors = world.directory.errors.filter { $0["acsTransID"]?.text == sdk.acsTransID }
        #expect(errors.count == 1)
        let error = try #require(errors.first)
        #expect(error["errorCode"]?.text == faulty.code, "\(error)")
        #expect(error["errorComponent"]?.text == "A")
        #expect(error["dsTransID"]?.text == results.first?["dsTransID"]?.text)
        #expect(error["messageVersion"]?.text == results.first?["messageVersion"]?.text)
        if let detail = faulty.detail { #expect(error["errorDetail"]?.text == detail) }
        #expect(try await world.state(of: sdk.acsTransID) == .unacknowledged)
        #expect(world.refusals.last == "\(sdk.acsTransID) \(faulty.code)")
        #expect(try await world.records(.unacknowledged).last == [faulty.code])
        let row = try #require(try await world.service.authentication(sdk.acsTransID))
        #expect(row.challenge?.resultDue == nil && row.challenge?.failedResults == 1)
    }

    @Test func `is not sent again if no response came in time`() async throws {
        try await expectEnd(of: approved(), by: .late)
        #expect(world.directory.errors.first?["errorMessageType"]?.text == "RRes")
    }

    @Test(arguments: [
        FaultyReply("", "101"), FaultyReply("<html>", "101"), FaultyReply("[]", "101"),
        FaultyReply(#"{"messageType":"#, "101"), FaultyReply(#"{"messageType":"ARes"}"#, "101"),
    ])
    func `is not sent again if its response is not an RRes`(
        _ reply: FaultyReply
    ) async throws {
        try await expectEnd(of: approved(), by: reply)
    }

    @Test(arguments: [
        FaultyResults("", "201"), FaultyResults(#","resultsStatus":"7""#, "203"),
        FaultyResults(#","resultsStatus":1"#, "203"),
        FaultyResults(#","resultsStatus":"01","resultsStatus":"02""#, "204"),
    ])
    func `is not sent again if an element of the RRes is missing or invalid`(
        _ results: FaultyResults
    ) async throws {
        let sdk = try await approved()
        try await expectEnd(of: sdk, by: results.reply(to: sdk.acsTransID))
    }

    /// The error has the identifiers of the RReq.
    @Test func `is not sent again if the RRes is one of another transaction`() async throws {
        let sdk = try await approved()
        let other = "00000000-d2d2-4067-bcb1-b08d1690b26e"
        let results = FaultyResults(#","resultsStatus":"01""#, "301")
        let reply = results.reply(to: other).reply
        world.directory.respond(with: reply)
        try await workOn()
        #expect(world.directory.results.count == 1)
        #expect(world.directory.errors.map { $0["acsTransID"]?.text } == [sdk.acsTransID])
        #expect(try await world.state(of: sdk.acsTransID) == .unacknowledged)
    }

    /// The app has waited for the acknowledgement of the result.
    @Test func `ends a request of the app that waits`() async throws {
        let sdk = try await approved()
        world.directory.set(isHeld: true)
        async let work: Void = world.work()
        let directory = world.directory
        try await waitUntil { directory.heldCount == 1 }
        let start = ContinuousClock.now
        async let response = sdk.request()
        // The request can also come after the end of the delivery.
        directory.respond(with: FaultyReply.late.reply)
        directory.set(isHeld: false)
        #expect(try await response["errorCode"]?.text == "403")
        #expect(ContinuousClock.now - start < Challenge.maximumResponseTime)
        try await work
    }

    @Test func `SEC-81: has its key erased`() async throws {
        let sdk = try await approved()
        try await expectEnd(of: sdk, by: .late)
        let keys = try await world.database.read { connection throws(StoreFailure) in
            let statement = Statement(
                "SELECT \([Column.id]) FROM authentications WHERE sealed_key IS NOT NULL"
            )
            return try connection.rows(statement, []).count
        }
        #expect(keys == 0)
    }

    /// Two parties would send error messages for ever.
    @Test func `causes no error message if its response is an error that cannot be read`()
        async throws
    {
        let sdk = try await approved()
        world.directory.respond(
            with: .success(Array(#"{"messageType":"Erro","errorCode":"12"}"#.utf8))
        )
        try await workOn()
        #expect(world.directory.results.count == 1 && world.directory.errors.isEmpty)
        #expect(try await world.state(of: sdk.acsTransID) == .unacknowledged)
    }

    @Test func `is noted although its error message does not arrive`() async throws {
        let sdk = try await approved()
        world.directory.respond(with: FaultyReply.late.reply)
        world.directory.loseErrors()
        try await workOn()
        #expect(world.directory.results.count == 1 && world.directory.errors.isEmpty)
        #expect(try await world.state(of: sdk.acsTransID) == .unacknowledged)
    }

    @Test func `has its last page in a browser`() async throws {
        let shopper = try await Shopper(world)
        let handle = try await shopper.enter()
        world.verifier.approve(shopper.acsTransID)
        world.directory.respond(with: FaultyReply.late.reply)
        try await world.work()
        let (message, _) = try await shopper.result(of: handle)
        #expect(message["transStatus"]?.text == "Y")
        #expect(world.directory.errors.map { $0["errorCode"]?.text } == ["402"])
        #expect(try await world.state(of: shopper.acsTransID) == .unacknowledged)
        // It keeps this state when the page is over.
        world.advance(seconds: 3600)
        try await world.work()
        #expect(try await world.state(of: shopper.acsTransID) == .unacknowledged)
    }

    @Test func `ends a decoupled authentication`() async throws {
        let answer = try await world.answer(
            SampleRequest(
                .twoTwo,
                .browser,
                .payment,
                [
                    "threeDSRequestorDecReqInd": #""Y""#,
                    "threeDSRequestorDecMaxTime": #""00010""#,
                ]
            )
        )
        let id = try #require(answer["acsTransID"]?.text)
        try await world.work()
        world.verifier.approve(id)
        world.directory.respond(with: FaultyReply.late.reply)
        try await workOn()
        #expect(world.directory.results.count == 1 && world.directory.errors.count == 1)
        #expect(try await world.state(of: id) == .unacknowledged)
    }
}

@Suite(.onAnyStore) struct `An unacknowledged result that is sent by hand` {
    private let world: IssuerWorld
    private let id: String

    init() async throws {
        world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        id = sdk.acsTransID
        world.verifier.approve(id)
        world.directory.respond(with: FaultyReply.late.reply)
        try await world.work()
    }

    @Test func `is the same result, and is reported`() async throws {
        world.directory.respond(with: nil)
        #expect(try await world.service.sendAgain(id) == .delivered)
        let results = world.directory.results
        #expect(try results.count == 2 && results[0].written() == results[1].written())
        #expect(results[0]["transStatus"]?.text == "Y")
        #expect(try await world.state(of: id) == .ended)
        #expect(try await world.records(.reported) == [["RRes", "01"]])
        #expect(try await world.service.sendAgain(id) == .notGivenUp(.ended))
    }

    /// Before version 2.3.1, no code states that the directory has it already.
    @Test(arguments: ["301", "312"])
    func `is refused if the directory does not accept its identifiers`(
        _ code: String
    ) async throws {
        world.directory.respond(with: nil)
        world.directory.respond(withError: code)
        #expect(try await world.service.sendAgain(id) == .refused(code: code))
        #expect(try await world.state(of: id) == .refused)
    }

    @Test func `stays unacknowledged without a response, however often it is sent`() async throws {
        for count in 2...3 {
            let reason = "no valid response came (error 402)"
            #expect(try await world.service.sendAgain(id) == .failed(reason: reason))
            #expect(try await world.state(of: id) == .unacknowledged)
            #expect(world.directory.results.count == count)
            #expect(world.directory.errors.count == count)
        }
        world.directory.set(isReachable: false)
        let reason = "the connection failed"
        #expect(try await world.service.sendAgain(id) == .failed(reason: reason))
        world.directory.set(isReachable: true)
        for _ in 0..<4 {
            world.advance(seconds: 60)
            try await world.work()
        }
        #expect(try await world.state(of: id) == .unacknowledged)
        #expect(world.directory.results.count == 3)
    }

    /// A node takes the result over when the lease ends.
    @Test func `is sent once by a node if its command was killed`() async throws {
        world.directory.respond(with: nil)
        world.directory.set(isReachable: false)
        let end = world.service.clock()
        _ = try await world.service.step(at: .id(id)) { step throws(StoreFailure) in
            step.change { $0.resultDue = end }
        }
        try await world.work()
        world.directory.set(isReachable: true)
        for _ in 0..<4 {
            world.advance(seconds: 60)
            try await world.work()
        }
        #expect(try await world.state(of: id) == .unacknowledged)
        #expect(world.directory.results.count == 1)
    }
}

@Suite(.onAnyStore) struct `A result whose first attempt failed` {
    /// The person has pressed the button of the page, which version 2.3.1 demands.
    private func lastStatus(_ sdk: ModelSDK, _ version: ProtocolVersion) async throws -> String? {
        let button: [(String, JSONValue)] =
            version < .twoThree ? [] : [("oobContinue", .string("01"))]
        return try await sdk.request(button)["transStatus"]?.text
    }

    private func approved(_ version: ProtocolVersion) async throws -> (IssuerWorld, ModelSDK) {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world, version)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        return (world, sdk)
    }

    @Test func `is delivered if the directory reports a repetition`() async throws {
        let (world, sdk) = try await approved(.twoThree)
        world.directory.respond(with: .failure(.init("the connection failed")))
        try await world.work()
        world.directory.respond(with: nil)
        world.directory.respond(withError: "312")
        try await world.work()
        #expect(try await lastStatus(sdk, .twoThree) == "Y")
        #expect(try await world.records(.reported) == [["Erro", "312"]])
        #expect(world.refusals == [])
    }

    /// A process that ends during an attempt does not note it.
    @Test func `is delivered also if no process noted the attempt`() async throws {
        let (world, sdk) = try await approved(.twoThree)
        _ = try await world.service.followTransactions(waiting: 0)
        let taken = try await world.service.takeResults()
        #expect(taken.count == 1 && taken.first?.challenge?.failedResults == 0)
        world.directory.respond(withError: "312")
        world.advance(seconds: 14)
        try await world.work()
        #expect(world.directory.results.isEmpty)
        world.advance(seconds: 1)
        try await world.work()
        #expect(try await lastStatus(sdk, .twoThree) == "Y")
    }

    /// Before version 2.3.1, 301 can also state that the directory does not know the result.
    @Test(arguments: [(ProtocolVersion.twoTwo, "312"), (.twoTwo, "301"), (.twoThree, "301")])
    func `is refused by any other code`(
        _ version: ProtocolVersion,
        _ code: String
    ) async throws {
        let (world, sdk) = try await approved(version)
        world.directory.respond(with: .failure(.init("the connection failed")))
        try await world.work()
        world.directory.respond(with: nil)
        world.directory.respond(withError: code)
        try await world.work()
        #expect(try await sdk.request()["errorCode"]?.text == "403")
    }
}
