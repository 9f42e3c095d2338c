import BankIntegration
import Foundation
import ServerOperation
import StrictJSON
import Testing
import TransactionApproval

@testable import VerifierServer

@Suite struct `Times of the bank's API` {
    private struct Resource: Codable, Equatable {
        let due: DateTime
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"),
            (951_825_599_999, "2000-02-29T11:59:59.999Z"),
            (1_795_418_606_126, "2026-11-23T07:23:26.126Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(UInt64, String)]
    )
    func `are RFC 3339 in UTC, and read as they are written`(
        milliseconds: UInt64,
        text: String
    ) throws {
        let moment = try #require(Timestamp(milliseconds: milliseconds))
        let written = try StrictJSON.encode(Resource(due: DateTime(moment)))
        #expect(String(decoding: written, as: UTF8.self) == #"{"due":"\#(text)"}"#)
        let read = try StrictJSON.decode(Resource.self, from: written, limits: .message)
        #expect(read.due.moment == moment)
        // An implementation that is not ours.
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = try Date(text, strategy: style)
        #expect((date.timeIntervalSince1970 * 1000).rounded() == Double(milliseconds))
    }

    @Test(arguments: [
        "", "now", "2026-11-23", "2026-11-23T07:23:26Z", "2026-11-23T07:23:26.12Z",
        "2026-11-23T07:23:26.1260Z", "2026-11-23T07:23:26,126Z", "2026-11-23 07:23:26.126Z",
        "2026-11-23T07:23:26.126", "2026-11-23T07:23:26.126z", "2026-11-23t07:23:26.126Z",
        "2026-11-23T07:23:26.126+00:00", "2026-11-23T08:23:26.126+01:00",
        "2026-02-29T07:23:26.126Z", "2026-13-01T07:23:26.126Z", "2026-11-23T24:00:00.000Z",
        "2026-11-23T07:60:00.000Z", "2026-11-23T07:23:60.000Z", "2026-11-23T7:23:26.126Z",
        " 2026-11-23T07:23:26.126Z", "2026-11-23T07:23:26.126Z ", "2026-11-23T07:23:26.+26Z",
        "2026-11-23T07:23:26.126Z\0", "1969-12-31T23:59:59.999Z",
        "1795418606126",
    ])
    func `have one form`(_ text: String) throws {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `are not numbers`() {
        #expect(throws: StrictJSON.Failure.self) {
            try StrictJSON.decode(
                Resource.self,
                from: Array(#"{"due":1795418606126}"#.utf8),
                limits: .message
            )
        }
    }
}
