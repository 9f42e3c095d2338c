import JOSE
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

/// RFC 9562, section 4: letters of either case write the same identifier.
@Suite(.onEveryStore) struct `A dsTransID in capital letters` {
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

    @Test func `is found in a row of an earlier version, which stays as it is`() async throws {
        let (world, acsTransID) = try await approvedWorld()
        try await writeAsBefore(acsTransID, in: world)
        #expect(try await verdict(Self.id, in: world) == .valid)
        // The use of the value has changed the row.
        #expect(try await verdict(Self.id, in: world) == .alreadyUsed)
        let row = try #require(try await world.service.authentication(acsTransID))
        #expect(row.storedDirectoryKey == Self.id && row.facts.ids.directory == Self.id)
    }

    /// Writes the row with the spelling of the directory server in its column.
    private func writeAsBefore(_ id: String, in world: IssuerWorld) async throws {
        let store = world.store
        try await world.database.write { connection throws(StoreFailure) in
            guard var row = try store.authentications(connection).authentication(id) else {
                throw .misuse
            }
            row.storedDirectoryKey = Self.id
            let values = try store.seal.values(of: row)
            let change = [try values[.directoryID], try values[.sealed], .text(id)]
            guard try connection.run(.writeAsBefore, change) == 1 else { throw .misuse }
        }
    }
}

extension Statement {
    fileprivate static let writeAsBefore = Statement(
        "UPDATE authentications SET directory_id = $1, sealed = $2 WHERE id = $3"
    )
}
