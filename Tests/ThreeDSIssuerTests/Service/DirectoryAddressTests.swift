import JOSE
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `The dsURL of an AReq` {
    private static let url = "https://ds.example/of-this-purchase"
    private let world: IssuerWorld

    init() async throws {
        world = try await IssuerWorld()
        try await world.addCard()
    }

    private func approved() async throws -> ModelSDK {
        let sdk = try await ModelSDK(
            in: world,
            .twoTwo,
            .a128CBCHS256,
            ["dsURL": "\"\(Self.url)\""]
        )
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        return sdk
    }

    @Test func `gets the result, also after a restart`() async throws {
        world.directory.allow(Self.url)
        let sdk = try await approved()
        let restarted = try await IssuerWorld(restarting: world)
        try await restarted.work()
        #expect(world.directory.results.count == 1 && world.directory.messagesAtURL == 1)
        sdk.world = restarted
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `gets the error message about a missing response`() async throws {
        world.directory.allow(Self.url)
        _ = try await approved()
        world.directory.respond(with: FaultyReply.late.reply)
        try await world.work()
        #expect(world.directory.results.count == 1 && world.directory.errors.count == 1)
        #expect(world.directory.messagesAtURL == 2)
    }

    @Test func `gets nothing if it is one of another server`() async throws {
        let sdk = try await approved()
        let row = try #require(try await world.service.authentication(sdk.acsTransID))
        #expect(row.dsURL == nil)
        world.directory.allow(Self.url)
        try await world.work()
        #expect(world.directory.results.count == 1 && world.directory.messagesAtURL == 0)
    }

    @Test func `gets nothing after the configured address has changed`() async throws {
        world.directory.allow(Self.url)
        _ = try await approved()
        world.directory.allow(nil)
        try await world.work()
        #expect(world.directory.results.count == 1 && world.directory.messagesAtURL == 0)
    }

    /// A released form never changes, because stores contain it.
    @Test(arguments: [("00000000089c", [1, 3]), ("00000000089C", [2, 4])] as [(String, [UInt8])])
    func `has its own forms of a row`(_ end: String, _ forms: [UInt8]) async throws {
        let id = "4317fdc3-ad24-5443-8000-\(end)"
        let sdk = try await ModelSDK(
            in: world,
            .twoTwo,
            .a128CBCHS256,
            ["dsTransID": "\"\(id)\""]
        )
        var row = try #require(try await world.service.authentication(sdk.acsTransID))
        #expect(row.directoryKey == id.lowercased())
        func read(_ bytes: [UInt8]) throws -> Authentication {
            try Authentication(
                encoded: bytes,
                id: row.id,
                directoryID: id.lowercased(),
                made: row.made
            )
        }
        for (url, form) in zip([nil, Self.url], forms) {
            row.dsURL = url
            let bytes = row.encoded
            #expect(bytes.first == form)
            let found = try read(bytes)
            #expect(found.dsURL == url && found.directory == row.directory)
            #expect(found.facts == row.facts && found.encoded == bytes)
        }
        for form in [0, 5] as [UInt8] {
            #expect(throws: FieldReader.Failure.self) { try read([form] + row.encoded.dropFirst()) }
        }
    }
}
