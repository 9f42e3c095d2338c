import Foundation
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// Two verifiers over one store, each with its own key file; one of them rotates its keys.
@Suite(.onEveryStore) struct `A verifier while another verifier rotates the keys` {
    private let premises: Premises
    private let path: String

    init() throws {
        premises = try Premises()
        path = premises.path + "/other-keys"
        try copyKeys()
    }

    /// Copies the key file to the other verifier, as an operator does.
    private func copyKeys() throws {
        let keys = try Data(contentsOf: URL(filePath: premises.keysPath))
        let copy = path + ".copy"
        try keys.write(to: URL(filePath: copy))
        try #require(chmod(copy, 0o600) == 0 && rename(copy, path) == 0)
    }

    /// A verifier that has the first verifier's current keys, and has used them.
    private func other(of bank: Bank, _ phone: Phone) async throws -> Verifier {
        let verifier = Verifier(
            database: try bank.openAgain(),
            keys: KeyRing(try KeyFile.encryptionKeys(in: .file(path)), readFrom: path),
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

    @Test func `continues, and uses the new key after it is added`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try addKey(to: bank)
        try copyKeys()
        // The other verifier has not used the new key yet.
        #expect(other.keys.newestVersion == 1)
        #expect(try await bank.verifier.rotateKeys(by: .operatorCommand).isComplete)
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
        #expect(other.keys.newestVersion == 2)
        let account = try await bank.addAccount("4712")
        _ = try await other.issueActivation(for: account, by: .operatorCommand)
        #expect(try await bank.verifier.sealedCounts().keys.sorted() == [2])
    }

    /// The operator has not copied the key file yet.
    @Test func `uses an added key only after a rotation, also after a restart`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try KeyFile.addEncryptionKey(at: premises.keysPath)
        let both = try KeyFile.encryptionKeys(in: .file(premises.keysPath))
        let restarted = Verifier(
            database: try bank.openAgain(),
            keys: KeyRing(both, readFrom: premises.keysPath),
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        let account = try await bank.addAccount("4712")
        _ = try await restarted.issueActivation(for: account, by: .operatorCommand)
        // A running verifier reads its file again before an audit.
        _ = restarted.keyRing.copied()
        _ = try await restarted.issueActivation(for: account, by: .operatorCommand)
        #expect(try await restarted.sealedCounts().keys.sorted() == [1])
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
        #expect(other.keys.versions == [1])
        try copyKeys()
        #expect(try await restarted.rotateKeys(by: .operatorCommand).isComplete)
        bank.verifier.use(both)
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
        _ = try await other.issueActivation(for: account, by: .operatorCommand)
        #expect(try await other.sealedCounts().keys.sorted() == [2])
    }

    @Test func `refuses values without a key until its key file contains the key`()
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

    @Test func `reads its file again after a failure that is not in its contents`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try addKey(to: bank)
        _ = try await bank.verifier.rotateKeys(by: .operatorCommand)
        try copyKeys()
        try #require(chmod(path, 0o644) == 0)
        let missing = Verifier.Failure.sealedRecord(.keyMissing(version: 2))
        await #expect(throws: missing) { try await check(phone, in: bank, by: other) }
        try #require(chmod(path, 0o600) == 0)
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
    }

    @Test func `reads its key file once for each change of the file`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        try addKey(to: bank)
        _ = try await bank.verifier.rotateKeys(by: .operatorCommand)
        try copyKeys()
        let (content, held) = (try Data(contentsOf: URL(filePath: path)), path + ".held")
        // A file of the same size and modification time, without a new key.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: Data(repeating: 0x20, count: content.count))
        try keepTime(of: held, for: file.fileDescriptor)
        let missing = Verifier.Failure.sealedRecord(.keyMissing(version: 2))
        await #expect(throws: missing) { try await check(phone, in: bank, by: other) }
        try file.seek(toOffset: 0)
        try file.write(contentsOf: content)
        try keepTime(of: held, for: file.fileDescriptor)
        await #expect(throws: missing) { try await check(phone, in: bank, by: other) }
        try file.seek(toOffset: 0)
        try file.write(contentsOf: content)
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
    }

    /// An operator can put back an earlier copy.
    @Test func `keeps its keys if its file no longer contains the newest key`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let other = try await other(of: bank, phone)
        let earlier = try Data(contentsOf: URL(filePath: path))
        try addKey(to: bank)
        try copyKeys()
        #expect(try await bank.verifier.rotateKeys(by: .operatorCommand).isComplete)
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
        try earlier.write(to: URL(filePath: path))
        // A running verifier reads its file again before an audit.
        _ = other.keyRing.copied()
        #expect(other.keys.newestVersion == 2)
        #expect(try await check(phone, in: bank, by: other) == .accepted(nil))
    }

    /// Gives an open file the time of another file, which is created if it does not exist.
    private func keepTime(of path: String, for descriptor: Int32) throws {
        if access(path, F_OK) != 0 { try Data().write(to: URL(filePath: path)) }
        var status = stat()
        try #require(stat(path, &status) == 0)
        var times = [status.st_mtim, status.st_mtim]
        try #require(futimens(descriptor, &times) == 0)
    }

    @Test func `stores nothing under a retired key, and continues with the new key`()
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
}
