import Testing
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

private let heading = Intake.heading

@Suite(.onAnyStore) struct `Repeated bulk loads` {
    @Test func `a file is loaded once, even if the load is repeated`() async throws {
        let intake = try await Intake()
        try intake.write(heading + "bank,main,a,,,,,,\nbank,main,b,,,,,,\n")
        let (first, _) = try await intake.load()
        let before = try await intake.bank.contents()
        let (second, rejections) = try await intake.load()
        #expect(second == first)
        #expect(rejections == [:])
        #expect(try await intake.bank.contents() == before)
        // Under another name the same rows are new, and refused because they exist.
        #expect(try await intake.load("again").1 == [2: .accountExists, 3: .accountExists])
    }

    @Test func `a repeated load reports the skipped rows again`() async throws {
        let intake = try await Intake()
        let start = heading + "bank,main,a a,,,,,,\nbank,main,b,,,,,,\nnone,main,c,,,,,,\n"
        try intake.write(start)
        let (first, rejections) = try await intake.load()
        #expect(rejections == [2: .accountID, 4: .unknownEnterprise])
        let (second, repeated) = try await intake.load()
        #expect(second == first)
        #expect(repeated == rejections)
        try intake.write(start + "bank,main,b,,,,,,\n")
        let grown = try await intake.load().1
        #expect(grown == [2: .accountID, 4: .unknownEnterprise, 5: .accountExists])
    }

    @Test func `a repeated load reports a limited number of rows, but counts all of them`()
        async throws
    {
        let intake = try await Intake()
        let count = Int(RejectedRow.maximumKept) + 700
        try intake.write(heading + String(repeating: "bank,main,4711,,,,,,\n", count: count))
        let (first, rejections) = try await intake.load()
        #expect(
            [first.rejected, UInt64(rejections.reasons.count)] == [UInt64(count), UInt64(count)]
        )
        let (second, repeated) = try await intake.load()
        #expect(second == first)
        #expect(repeated.reasons.keys.sorted() == Array(2...(RejectedRow.maximumKept + 1)))
    }

    @Test func `a file that grew is loaded from its old end`() async throws {
        let intake = try await Intake()
        let start = heading + "bank,main,a,,,,,,\n"
        try intake.write(start)
        try await intake.load()
        try intake.write(start + "bank,main,b,,,,,,\n")
        let (record, rejections) = try await intake.load()
        #expect(rejections == [:])
        #expect([record.line, record.accounts] == [3, 2])
    }

    @Test(arguments: [
        heading + "bank,main,A,,,,,,\nbank,main,b,,,,,,\nbank,main,c,,,,,,\n",
        heading + "bank,main,a,,,,,,\n",
        heading,
        "enterprise,account_type,account_id\nbank,main,a\nbank,main,b\n",
    ])
    func `a file whose earlier rows changed is refused`(_ other: String) async throws {
        let intake = try await Intake()
        try intake.write(heading + "bank,main,a,,,,,,\nbank,main,b,,,,,,\n")
        try await intake.load()
        try intake.write(other)
        let before = try await intake.bank.contents()
        await #expect(throws: LoadFailure.differentFile) { try await intake.load() }
        #expect(try await intake.bank.contents() == before)
    }

    @Test func `a load can stop at the first wrong row and resume after its correction`()
        async throws
    {
        let intake = try await Intake()
        let start = heading + "bank,main,a,,,,,,\n"
        try intake.write(start + "bank,main,b b,,,,,,\nbank,main,c,,,,,,\n")
        let (stopped, rejections) = try await intake.load(stopsAtRejection: true)
        #expect(rejections == [3: .accountID])
        #expect([stopped.line, stopped.accounts, stopped.rejected] == [2, 1, 0])
        try intake.write(start + "bank,main,b,,,,,,\nbank,main,c,,,,,,\n")
        let (record, none) = try await intake.load(stopsAtRejection: true)
        #expect(none == [:])
        #expect([record.line, record.accounts, record.rejected] == [4, 3, 0])
    }
}
