import Foundation
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// Two verifiers over one store, each with a file of keys of its own, of which one rotates.
@Suite(.onEveryStore) struct `A verifier beside one that rotates its keys` {
    private let premises: Premises
    private let path: String

    init() throws {
        premises = try Premises()
        path = premises.path + "/other-keys"
        try copyKeys()
    }

    /// As an operator copies the file from one verifier to the other.
    private func copyKeys() throws {
        let keys = try Data(contentsOf: URL(filePath: premises.keysPath))
        let copy = path + ".copy"
        try keys.write(to: URL(filePath: copy))
        try #require(chmod(copy, 0o600) == 0 && rename(copy, path) == 0)
    }

    /// A verifier that has all of the first one's keys until now, and has decided by them.
    private func other(of bank: Bank, _ phone: Phone) async throws -> Verifier {
        let verifier = Verifier(
            database: try bank.openAgain(),
            keys: try KeyFile.encryptionKeys(in: .file(path)),
            readFrom: path,
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        #expect(try await check(phone, in: bank, by: verifier) == .accepted(nil))
        return verifier
    }

    private func check(_ phone: Phone, in bank: Bank, by verifier: Verifier) async throws
        -> AttemptResult
    {
        try await verifier.checkPIN(try await phone.attempt(over: .pinCheck, in: bank))
    }

    private func addKey(to bank: Bank) throws {
        try KeyFile.addEncryptionKey(at: premises.keysPath)
        bank.verifier.use(try KeyFile.encryptionKeys(in: .file(premises.keysPath)))
    }

    @Test func `goes on deciding, and seals under the new one from then on`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try addKey(to: bank)
        try copyKeys()
        // Nobody has met it yet.
        #expect(other.keys.newestVersion == 1)
        #expect(try await bank.verifier.rotateKeys(by: .operatorCommand).isComplete)
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
        #expect(other.keys.newestVersion == 2)
        let account = try await bank.addAccount("4712")
        _ = try await other.issueActivation(for: account, by: .operatorCommand)
        #expect(try await bank.verifier.sealedCounts().keys.sorted() == [2])
    }

    @Test func `refuses what it has no key for until its file has one, whenever that comes`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try addKey(to: bank)
        _ = try await bank.verifier.rotateKeys(by: .operatorCommand)
        let missing = Verifier.Failure.sealedRecord(.keyMissing(version: 2))
        await #expect(throws: missing) { try await check(phone, in: bank, by: other) }
        try Data("no key\n".utf8).write(to: URL(filePath: path))
        await #expect(throws: missing) { try await check(phone, in: bank, by: other) }
        #expect(other.keys.versions == [1])
        try copyKeys()
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
    }

    @Test func `reads its file once, as long as that is the same`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try addKey(to: bank)
        _ = try await bank.verifier.rotateKeys(by: .operatorCommand)
        try copyKeys()
        let (whole, held) = (try Data(contentsOf: URL(filePath: path)), path + ".held")
        // As long as the new file, changed at the same time, and read without a new key in it.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: Data(repeating: 0x20, count: whole.count))
        try keepTime(of: held, for: file.fileDescriptor)
        let missing = Verifier.Failure.sealedRecord(.keyMissing(version: 2))
        await #expect(throws: missing) { try await check(phone, in: bank, by: other) }
        try file.seek(toOffset: 0)
        try file.write(contentsOf: whole)
        try keepTime(of: held, for: file.fileDescriptor)
        await #expect(throws: missing) { try await check(phone, in: bank, by: other) }
        try file.seek(toOffset: 0)
        try file.write(contentsOf: whole)
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
    }

    /// Gives an open file the time of another, which is made where it is not there.
    private func keepTime(of path: String, for descriptor: Int32) throws {
        if access(path, F_OK) != 0 { try Data().write(to: URL(filePath: path)) }
        var status = stat()
        try #require(stat(path, &status) == 0)
        var times = [status.st_mtim, status.st_mtim]
        try #require(futimens(descriptor, &times) == 0)
    }

    @Test func `stores nothing under a key that was ended, and then goes on under the new one`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try addKey(to: bank)
        try copyKeys()
        _ = try await bank.verifier.rotateKeys(by: .operatorCommand)
        #expect(try await bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
        let account = try await bank.addAccount("4712")
        await #expect(throws: Verifier.Failure.store(.outdatedKey(version: 1))) {
            _ = try await other.issueActivation(for: account, by: .operatorCommand)
        }
        _ = try await other.issueActivation(for: account, by: .operatorCommand)
        #expect(try await bank.verifier.sealedCounts().keys.sorted() == [2])
    }

    @Test func `reads its file when it is told to, and keeps what it has where that is no good`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try Data("no key\n".utf8).write(to: URL(filePath: path))
        await #expect(throws: KeyFile.Failure.malformedLine(1)) { try await other.reloadKeys() }
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
        try addKey(to: bank)
        try copyKeys()
        try await other.reloadKeys()
        #expect(other.keys.versions == [1, 2])
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
    }
}
