import Foundation
import Glibc
import OneTimePassword
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `The vault` {
    let home: Home

    init() throws {
        home = try Home()
    }

    var vault: Vault { home.vault() }

    private func path(of account: OpenAccount) -> String {
        home.vaultPath + "/" + account.record.device.fileName
    }

    @Test func `returns the saved accounts in their order`() async throws {
        let second = try await home.addAccount("2", place: 2, to: vault)
        let first = try await home.addAccount("1", place: 1, to: vault)
        #expect(try vault.accounts().map(\.record) == [first.record, second.record])
        let secrets = try #require(try vault.account(of: first.record.device)).secrets
        #expect(secrets.areSame(as: first.secrets))
    }

    @Test func `is empty at first`() throws {
        #expect(try vault.accounts().isEmpty)
        #expect(try vault.account(of: .random()) == nil as OpenAccount?)
    }

    /// Without the secret store, a copy of the vault does not even allow a test of PINs.
    @Test func `SEC-48: holds neither a seed nor anything of the secret store`() async throws {
        let account = try await home.addAccount(to: vault)
        let seed = try await account.userSeed(PIN.typed("271905")).withBytes { $0.array }
        let files = try home.contents()
        let stored = files.filter { $0.key.hasPrefix("secrets/") }.map(\.value)
        let secrets = [Data(seed)] + stored.filter { !$0.isEmpty }
        #expect(secrets.count > 1)
        for (name, content) in files where name.hasPrefix("vault/") {
            #expect(secrets.allSatisfy { content.range(of: $0) == nil }, "\(name)")
        }
    }

    @Test func `keeps nothing of a removed account`() async throws {
        let account = try await home.addAccount(to: vault)
        try await vault.locked().remove(account.record.device)
        #expect(try home.contents().keys.sorted() == ["secrets/lock", "vault/lock"])
    }

    @Test func `loses no other account if a removal is cut off at any point`() async throws {
        for point in 0..<9 {
            let home = try Home()
            let other = try await home.addAccount("1", place: 1, to: home.vault())
            let account = try await home.addAccount("2", place: 2, to: home.vault())
            let steps = StepLimit(point)
            do {
                let vault = home.vault(witness: steps.witness)
                // The crash is the point of this test: `try?`.
                try? await vault.locked().remove(account.record.device)
            }
            let path = home.vaultPath + "/" + account.record.device.fileName
            if let bytes = FileManager.default.contents(atPath: path) {
                #expect(bytes.contains { $0 != 0 }, "after step \(point)")
            }
            let contents = try home.vault().contents()
            #expect(contents.accounts.map(\.record) == [other.record], "after step \(point)")
            for damaged in contents.damaged {
                #expect(damaged.device == account.record.device)
                try await home.vault().locked().remove(damaged.device)
            }
            // The next removal erases what is left.
            try await home.vault().locked().remove(other.record.device)
            #expect(try home.contents().keys.sorted() == ["secrets/lock", "vault/lock"])
        }
    }

    // MARK: Refusals that change nothing

    @Test func `rejects a record with any changed bit`() async throws {
        let account = try await home.addAccount(to: vault)
        let good = try Data(contentsOf: URL(filePath: path(of: account)))
        for place in stride(from: 0, to: good.count, by: 7) {
            var bad = good
            bad[place] ^= 1
            let bytes = Array(bad)
            let locked = try await vault.folder.locked()
            try locked.replace(account.record.device.fileName, with: bytes.span)
            #expect(throws: Vault.Failure.self, "byte \(place)") { try vault.accounts() }
        }
    }

    @Test func `rejects a record with another server`() async throws {
        let account = try await home.addAccount(to: vault)
        var redirected = account.record
        redirected.signingKey = try P256.PrivateKey().publicKey
        let forged = OpenAccount(
            record: redirected,
            secrets: try .random(P256.PrivateKey(), by: .system)
        )
        try await vault.locked().save(forged)
        #expect(throws: Vault.Failure.record(.damaged)) { try vault.accounts() }
    }

    @Test func `rejects a record with the name of another account`() async throws {
        let account = try await home.addAccount(to: vault)
        let other = try DeviceID.random()
        try #require(rename(path(of: account), home.vaultPath + "/" + other.fileName) == 0)
        #expect(throws: Vault.Failure.record(.damaged)) { try vault.accounts() }
    }

    @Test func `reports that the secrets are missing`() async throws {
        let account = try await home.addAccount(to: vault)
        try vault.secretStore.delete(named: account.record.device.description)
        #expect(throws: Vault.Failure.secretsMissing) { try vault.accounts() }
    }

    @Test(arguments: ["account-", "account-0123", "notes.txt", ".account", "account-\(upperCase)"])
    func `rejects a folder with a foreign file`(_ name: String) async throws {
        try await home.addAccount(to: vault)
        let stray = home.vaultPath + "/" + name
        try #require(FileManager.default.createFile(atPath: stray, contents: Data("x".utf8)))
        let before = try home.contents()
        #expect(throws: Vault.Failure.file(.foreign)) { try vault.accounts() }
        #expect(try home.contents() == before)
    }

    private static let upperCase = String(repeating: "AB", count: 16)

    @Test func `does not change a vault of a later version`() async throws {
        let account = try await home.addAccount(to: vault)
        var bytes = Array(try Data(contentsOf: URL(filePath: path(of: account))))
        bytes[5] = 9
        do {
            let locked = try await vault.folder.locked()
            try locked.replace(account.record.device.fileName, with: bytes.span)
        }
        let before = try home.contents()
        #expect(throws: Vault.Failure.record(.newer(version: 9))) { try vault.accounts() }
        #expect(try home.contents() == before)
    }
}

@Suite struct `Counters in the vault` {
    let home: Home

    init() throws {
        home = try Home()
    }

    private func take(
        _ account: OpenAccount,
        in vault: Vault,
        generation: Generation = .first
    ) async throws -> TakenCounter? {
        let locked = try await vault.locked()
        return try locked.takeCounter(.user, of: account.record.device, generation: generation)
    }

    @Test func `are on the disk before they are returned`() async throws {
        let vault = home.vault()
        let account = try await home.addAccount(to: vault)
        let taken = try #require(try await take(account, in: vault))
        #expect(taken.counter == Counter(7))
        #expect(try vault.accounts()[0].record.user.counter == Counter(8))
        #expect(try vault.accounts()[0].record.deviceCredential.counter == Counter(7))
    }

    @Test func `are never repeated after a crash at any point`() async throws {
        let account = try await home.addAccount(to: home.vault())
        var taken: [Counter] = []
        for round in 0..<40 {
            let steps = StepLimit(round % 6)
            let vault = home.vault(witness: steps.witness)
            // After a crash there is no returned counter: `try?`.
            if let counter = try? await take(account, in: vault)?.counter { taken.append(counter) }
        }
        #expect(taken.count == Set(taken).count)
        #expect(taken.count > 5 && taken.count < 40)
        #expect(taken == taken.sorted())
    }

    @Test func `are never repeated by concurrent callers`() async throws {
        let vault = home.vault()
        let account = try await home.addAccount(to: vault)
        let taken = try await withThrowingTaskGroup(of: Counter?.self) { group in
            for _ in 0..<16 {
                group.addTask { try await take(account, in: vault)?.counter }
            }
            return try await group.reduce(into: [Counter?]()) { $0.append($1) }
        }
        #expect(Set(taken.compactMap { $0 }) == Set((7..<23).map { Counter($0) }))
    }

    @Test func `of an old generation are not returned`() async throws {
        let vault = home.vault()
        let account = try await home.addAccount(to: vault)
        #expect(try await take(account, in: vault, generation: Generation(1)) == nil)
        #expect(try vault.accounts()[0].record == account.record)
    }

    @Test func `end with the maximum counter`() async throws {
        let vault = home.vault()
        var account = try await home.addAccount(to: vault)
        account.record.user.counter = Counter(.max)
        try await vault.locked().save(account)
        #expect(try await take(account, in: vault) == nil)
    }

    @Test func `move to a proposed generation only`() throws {
        var credential = try CredentialRecord.sample()
        let proposed = try SeedIngredients.random(Generation(1), in: Dependencies())
        credential.proposed = proposed
        let unknown = credential.synchronize(with: .at(counter: 9, epoch: 0, generation: 2))
        #expect(!unknown)
        #expect(credential.counter == Counter(7))
        let known = credential.synchronize(with: .at(counter: 9, epoch: 0, generation: 1))
        #expect(known)
        #expect(credential.ingredients == proposed)
        #expect(credential.proposed == nil)
        #expect(credential.counter == Counter(9))
    }

    @Test func `move forward to the verifier's counter, and never back (SEC-04)`() throws {
        var credential = try CredentialRecord.sample()
        let (isAhead, isBehind) = (
            credential.synchronize(with: .at(counter: 100, epoch: 2)),
            credential.synchronize(with: .at(counter: 50, epoch: 1))
        )
        #expect(isAhead && isBehind)
        #expect(credential.counter == Counter(100))
        #expect(credential.epoch == Epoch(2))
    }

    @Test func `SEC-04: move at most 2^20 ahead, and otherwise stay as they are`() throws {
        var credential = try CredentialRecord.sample()
        credential.proposed = try SeedIngredients.random(Generation(1), in: Dependencies())
        let before = credential
        for counter in [8 + CredentialPosition.reach, .max] as [UInt64] {
            for generation in [0, 1] as [UInt64] {
                let position = CredentialPosition.at(
                    counter: counter,
                    epoch: 3,
                    generation: generation
                )
                let moved = credential.synchronize(with: position)
                #expect(!moved && credential == before)
            }
        }
        let moved = credential.synchronize(
            with: .at(counter: 7 + CredentialPosition.reach, epoch: 3)
        )
        #expect(moved && credential.counter == Counter(7 + CredentialPosition.reach))
    }
}

extension CredentialPosition {
    fileprivate static func at(
        counter: UInt64,
        epoch: UInt64,
        generation: UInt64 = 0
    ) -> CredentialPosition {
        CredentialPosition(
            generation: Generation(generation),
            epoch: Epoch(epoch),
            minimumCounter: Counter(counter)
        )
    }
}

extension Optional where Wrapped == OpenAccount {
    fileprivate static func == (left: Self, right: Self) -> Bool {
        left?.record == right?.record
    }
}
