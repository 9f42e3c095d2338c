import Foundation
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verifier

@Suite struct `Loading beside others` {
    private let bank: Bank
    private let folder: TemporaryFolder

    init() async throws {
        bank = try await Bank(policy: #"{"leastTokenDigits": 6}"#)
        folder = try TemporaryFolder()
    }

    private func write(_ count: Int) throws -> String {
        let secret = String(repeating: "5a", count: 20)
        let rows = (0..<count).map { "bank,main,a\($0),S\($0),\(secret)\n" }
        let path = try folder.write(
            "enterprise,account_type,account_id,token_serial,token_secret_hex\n" + rows.joined(),
            to: "accounts.csv"
        )
        try #require(chmod(path, 0o600) == 0)
        return path
    }

    private func load(_ path: String) async throws -> ImportRecord {
        let source = try AccountCSV(path)
        let load = BulkLoad(name: ImportName(checked: "file"))
        return try await bank.verifier.load(source, load, by: .operatorCommand) { _ in }
    }

    @Test func `lets decisions go on between its transactions`() async throws {
        let phone = try await bank.activate()
        let path = try write(3000)
        async let loaded = load(path)
        var decisions = 0
        while try await accountCount() < 3001 {
            #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
            decisions += 1
        }
        #expect(try await loaded.accounts == 3000)
        #expect(decisions > 3)
    }

    @Test func `adds every row once, though two load the same`() async throws {
        let path = try write(1500)
        async let first = load(path)
        async let second = load(path)
        var failures: [LoadFailure] = []
        do { _ = try await first } catch let failure as LoadFailure { failures.append(failure) }
        do { _ = try await second } catch let failure as LoadFailure { failures.append(failure) }
        #expect(failures.allSatisfy { $0 == .inUse })
        #expect(failures.count < 2)
        #expect(try await accountCount() == 1501)
    }

    private func accountCount() async throws -> Int {
        try await bank.count(of: .accountCreated)
    }
}
