import Foundation
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// A copy that was made without `backup` replaces the store after a crash.
@Suite(.onEveryStore) struct `A raw copy of the store` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    /// The journal is signed later, so it does not know the records.
    @Test(arguments: [0, 1, 20])
    func `SEC-04, SEC-102: does not start, however new it is, and accepts no used code`(
        _ recordsBefore: Int
    ) async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        for number in 0..<recordsBefore { _ = try await bank.addAccount("\(number)") }
        let copy = premises.path + "/copy"
        try await premises.store.backUp(to: copy)
        let code = try await phone.typedCode(in: bank)
        #expect(try await phone.type(code, in: bank) == .accepted(nil))
        await bank.database.close()
        try premises.store.putBack(copy)
        await #expect(throws: JournalFailure.self) { _ = try await premises.open() }
        _ = try await premises.restore()
        let restored = try await premises.open()
        #expect(try await phone.type(code, in: restored) != .accepted(nil))
        await restored.database.close()
    }

    @Test func `SEC-102: does not start without the file of the last head`() async throws {
        let bank = try await premises.begin()
        await bank.database.close()
        try FileManager.default.removeItem(atPath: premises.journalPath + ".head")
        await #expect(throws: JournalFailure.lostHead) { _ = try await premises.open() }
        _ = try await premises.restore()
        await (try await premises.open()).database.close()
    }

    /// A result is returned only after the file has its head.
    @Test func `every returned result is in the file of the last head`() async throws {
        let bank = try await premises.begin()
        let file = try #require(try HeadFile(ofJournal: premises.journalPath))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<8 {
                group.addTask {
                    for call in 0..<10 {
                        _ = try await bank.addAccount("\(caller)-\(call)")
                        let returned = try file.last().head.sequence
                        let account = Bank.account("\(caller)-\(call)")
                        let record = try await bank.events()
                            .firstIndex { $0.account == account }
                        #expect(try returned > UInt64(#require(record)))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
