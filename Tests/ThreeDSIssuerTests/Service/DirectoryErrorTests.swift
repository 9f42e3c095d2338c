import JOSE
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `An error message of a directory` {
    private let world: IssuerWorld

    init() async throws {
        world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
    }

    /// Sends an error message that names `ids`; expects an empty response.
    private func send(
        _ ids: [String: String],
        component: String = "D",
        from other: ServedDirectory? = nil
    ) async throws {
        let members = ids.map { #","\#($0.key)":"\#($0.value)""# }.sorted().joined()
        let text = """
            {"messageType":"Erro","messageVersion":"2.2.0","errorCode":"203",\
            "errorComponent":"\(component)","errorDescription":"a","errorDetail":"a",\
            "errorMessageType":"ARes"\(members)}
            """
        let served = try #require(world.service.directories.values.first)
        let response = try await world.service.response(
            to: Array(text.utf8),
            from: other ?? served
        )
        #expect(response?.body == [] && response?.outcome == "errorReceived")
    }

    private func workOn() async throws {
        for _ in 0..<4 {
            world.advance(seconds: 30)
            try await world.work()
        }
    }

    private static let directoryID = "4317fdc3-ad24-5443-8000-000000000891"

    @Test(arguments: [false, true])
    func `ends a challenge in an app without a result`(_ isByDirectoryID: Bool) async throws {
        let sdk = try await ModelSDK(in: world)
        let ids =
            isByDirectoryID
            ? ["dsTransID": Self.directoryID.uppercased()]
            : ["acsTransID": sdk.acsTransID.uppercased(), "dsTransID": Self.directoryID]
        try await send(ids)
        #expect(try await sdk.request()["errorCode"]?.text == "305")
        try await workOn()
        #expect(world.directory.results.isEmpty)
        #expect(world.verifier.transaction(sdk.acsTransID) == nil)
        #expect(try await world.state(of: sdk.acsTransID) == .ended)
        #expect(try await world.records(.errorReceived) == [["203"]])
        #expect(world.refusals == ["\(sdk.acsTransID) 203 true"])
        let keys = try await world.database.read { connection throws(StoreFailure) in
            let statement = Statement(
                "SELECT \([Column.id]) FROM authentications WHERE sealed_key IS NOT NULL"
            )
            return try connection.rows(statement, []).count
        }
        #expect(keys == 0)
        // A second one finds an ended challenge.
        try await send(ids)
        #expect(try await world.records(.errorReceived).count == 1)
        let audit = try await world.store.audit(at: .earliest)
        // The card was added without its record.
        #expect(audit.unrecorded.names == ["card card-1"] && audit.findingCount == 1)
    }

    @Test func `ends a challenge in a browser without a result`() async throws {
        let shopper = try await Shopper(world)
        try await send(["acsTransID": shopper.acsTransID])
        #expect(try await shopper.error(of: shopper.form())["errorCode"]?.text == "305")
        try await workOn()
        #expect(world.directory.results.isEmpty)
    }

    @Test func `only has a line in the log after the first CReq`() async throws {
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        try await send(["acsTransID": sdk.acsTransID])
        #expect(world.refusals == ["\(sdk.acsTransID) 203 false"])
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
        #expect(try await world.records(.errorReceived) == [])
    }

    @Test func `changes nothing if it is not about a challenge of this directory`() async throws {
        let sdk = try await ModelSDK(in: world)
        let (id, other) = (sdk.acsTransID, "00000000-d2d2-4067-bcb1-b08d1690b26e")
        try await send([:])
        try await send(["acsTransID": other])
        try await send(["dsTransID": other])
        try await send(["threeDSServerTransID": "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"])
        try await send(["acsTransID": id, "dsTransID": other])
        let rid = try #require(DirectoryID("A000000004"))
        let range = try #require(CardRange(from: "5000000000000000", to: "5000009999999999"))
        let cards = CardDirectory(rid, ranges: [range], versionsFrom: "2.1.0", to: "2.3.1")
        let foreign = try ServedDirectory(
            #require(cards),
            signer: JWS.Signer(.es256(world.signingKey)),
            clientKeys: []
        ) { _ async throws(ServedDirectory.ResultFailure) in [] }
        try await send(["acsTransID": id], from: foreign)
        #expect(Set(world.refusals) == ["unknown 203 false"])
        _ = try await sdk.request()
        #expect(world.verifier.transaction(id) != nil)
    }

    @Test(arguments: ["S", "C", "A", "X"])
    func `of another component changes nothing, and is logged with its challenge`(
        _ component: String
    ) async throws {
        let sdk = try await ModelSDK(in: world)
        try await send(["acsTransID": sdk.acsTransID], component: component)
        #expect(world.refusals == ["\(sdk.acsTransID) 203 false"])
        _ = try await sdk.request()
        #expect(world.verifier.transaction(sdk.acsTransID) != nil)
    }

    @Test func `is refused if its code cannot be read`() async throws {
        let served = try #require(world.service.directories.values.first)
        let text = #"{"messageType":"Erro","errorCode":"1"}"#
        #expect(try await world.service.response(to: Array(text.utf8), from: served) == nil)
    }

    private func decoupled() async throws -> String {
        let answer = try await world.answer(
            SampleRequest(
                .twoTwo,
                .browser,
                .payment,
                [
                    "threeDSRequestorDecReqInd": #""Y""#,
                    "threeDSRequestorDecMaxTime": #""00060""#,
                ]
            )
        )
        return try #require(answer["acsTransID"]?.text)
    }

    @Test(arguments: [false, true])
    func `has the request of a decoupled authentication withdrawn`(
        _ isResponseLost: Bool
    ) async throws {
        let id = try await decoupled()
        if isResponseLost { world.verifier.loseNextResponse() }
        try await world.work()
        world.verifier.set(isReachable: false)
        try await send(["acsTransID": id])
        try await world.work()
        #expect(!world.verifier.isWithdrawn)
        world.verifier.set(isReachable: true)
        try await workOn()
        #expect(world.verifier.isWithdrawn && world.directory.results.isEmpty)
        #expect(try await world.state(of: id) == .ended)
        let row = try #require(try await world.service.authentication(id))
        #expect(row.challenge?.isEnding == false)
    }

    @Test func `ends a decoupled authentication before its request`() async throws {
        let id = try await decoupled()
        try await send(["acsTransID": id])
        try await workOn()
        #expect(world.verifier.transaction(id) == nil && world.directory.results.isEmpty)
    }

    @Test func `does not withdraw for ever without the verifier`() async throws {
        let id = try await decoupled()
        world.verifier.loseNextResponse()
        try await world.work()
        world.verifier.set(isReachable: false)
        try await send(["acsTransID": id])
        world.advance(seconds: 700)
        try await world.work()
        let row = try #require(try await world.service.authentication(id))
        #expect(row.challenge?.isEnding == false)
    }
}
