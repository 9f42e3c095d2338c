import Storage
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `The end of a delivery in a store` {
    private func authentication() async throws -> Authentication {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        let found = try #require(try await world.service.authentication(sdk.acsTransID))
        await world.database.close()
        return found
    }

    private func read(_ bytes: [UInt8]) throws -> Authentication? {
        try Authentication(encoded: bytes, id: "1", directoryID: "2", made: .earliest)
    }

    /// A released form never changes, because stores contain it.
    @Test func `is nil or a refusal in a row of an earlier version`() async throws {
        var earlier = try await authentication()
        #expect(try read(earlier.encoded)?.challenge?.endOfDelivery == nil)
        earlier.challenge?.shortenedSeconds = 60
        var bytes = earlier.encoded
        #expect(bytes.last == 0)
        #expect(try read(bytes)?.challenge?.endOfDelivery == nil)
        bytes[bytes.count - 1] = 1
        #expect(try read(bytes)?.challenge?.endOfDelivery == .refused)
        earlier.challenge?.endOfDelivery = .refused
        #expect(earlier.encoded == bytes)
    }

    /// Each later member can be absent.
    @Test func `is kept with each combination of later members`() async throws {
        let terms = LaterPayments(next: try SampleWorld.euro(1))
        for (end, payments, error) in [
            (nil, nil, [1]), (.refused, nil, [1]), (.refused, terms, nil), (nil, terms, [1]),
            (.unacknowledged(.requestRefused), terms, [1, 2]), (nil, nil, nil),
        ] as [(StoredChallenge.EndOfDelivery?, LaterPayments?, [UInt8]?)] {
            var stored = try await authentication()
            stored.challenge?.endOfDelivery = end
            stored.challenge?.laterPayments = payments
            stored.challenge?.error = error
            let found = try read(stored.encoded)?.challenge
            #expect(found?.endOfDelivery == end)
            #expect(found?.laterPayments == payments)
            #expect(found?.error == error)
        }
    }

    @Test func `keeps each report`() async throws {
        var stored = try await authentication()
        for report in ResultReport.allCases {
            stored.challenge?.endOfDelivery = .unacknowledged(report)
            let found = try read(stored.encoded)?.challenge
            #expect(found?.endOfDelivery == .unacknowledged(report))
            #expect(found?.sentReport == report)
        }
        var bytes = stored.encoded
        for byte in [UInt8(ResultReport.allCases.count + 2), 255] {
            bytes[bytes.count - 1] = byte
            #expect(throws: FieldReader.Failure.self) { try read(bytes) }
        }
    }
}
