import Testing
import VerifierWorld

@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `Bulk loads and concurrent work` {
    private let intake: Intake
    private var bank: Bank { intake.bank }

    init() async throws {
        intake = try await Intake()
    }

    private func write(_ count: Int, of name: String = "a") throws {
        let rows = (0..<count).map {
            "bank,main,\(name)\($0),,\(name)\($0),\(Intake.secret),,,\n"
        }
        try intake.write(Intake.heading + rows.joined())
    }

    private func load(_ name: String = "file", by verifier: Verifier) async throws -> ImportRecord {
        let source = try AccountCSV(intake.path)
        let load = BulkLoad(name: ImportName(checked: name))
        return try await verifier.load(source, load, by: .operatorCommand) { _ in }
    }

    @Test func `decisions run between the transactions of a load`() async throws {
        let (bank, phone) = (bank, try await bank.activate())
        try write(3000)
        let decisions = Task { () async throws in
            var count = 0
            while !Task.isCancelled {
                let result = try await phone.checkPIN(in: bank)
                #expect(result == .accepted(nil))
                count += 1
            }
            return count
        }
        defer { decisions.cancel() }
        let record = try await load(by: bank.verifier)
        #expect(record.accounts == 3000)
        decisions.cancel()
        let count = try await decisions.value
        #expect(count > 3)
    }

    @Test func `two loads of one file add each row once`() async throws {
        // The first row makes the verifier open its key, so that the next write adds rows.
        let verifier = bank.verifier(interleaving: {
            guard try await intake.accountCount() == 2 else { return }
            _ = try await load(by: bank.verifier)
        })
        try write(1, of: "first")
        _ = try await load("first", by: verifier)
        try write(1500)
        await #expect(throws: LoadFailure.inUse) { try await load(by: verifier) }
        #expect(try await intake.accountCount() == 1502)
        let record = try await load(by: bank.verifier)
        #expect([record.line, record.accounts, record.rejected] == [1501, 1500, 0])
    }
}
