import OneTimePassword
import OneTimePasswordFormats
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

@Suite(.onAnyStore) struct `Bulk loads of PSKC documents` {
    private func pskc(
        _ intake: Intake,
        unlockedBy unlock: AccountPSKC.Unlock = .nothing
    ) throws -> AccountPSKC {
        try AccountPSKC(
            intake.path,
            unlockedBy: unlock,
            enterprise: Bank.enterprise,
            type: AccountType(checked: "main")
        )
    }

    private func document(_ keys: [PSKCDocument.Key]) throws -> [UInt8] {
        try PSKCDocument(keys: keys).serialized(protection: .nothing)
    }

    private func key(_ user: String?, _ change: (inout PSKCDocument.Key) -> Void = { _ in }) throws
        -> PSKCDocument.Key
    {
        var key = PSKCDocument.Key(
            id: "K\(user ?? "")",
            algorithm: .hotp,
            secret: try SecretBytes(hexadecimal: Intake.secret)
        )
        key.userID = user
        key.device.serialNumber = "S\(user ?? "")"
        key.responseFormat = PSKCDocument.ResponseFormat(length: 6)
        key.counter = Counter(5)
        change(&key)
        return key
    }

    @Test func `each key is loaded for the account of its user`() async throws {
        let intake = try await Intake()
        try intake.write(
            try document([
                try key("4711"), try key("new") { $0.suite = "HMAC-SHA256" },
                try key(nil), try key("b b"),
                try key("totp") { $0.algorithm = .totp },
                try key("limited") { $0.policy.expiryDate = "2030-01-01T00:00:00Z" },
                try key("short") { $0.responseFormat?.length = 5 },
                try key("uncounted") { $0.counter = nil },
                try key("expired") { $0.device.expiryDate = "2020-01-01T00:00:00Z" },
                try key("early") { $0.device.startDate = "2030-01-01T00:00:00Z" },
            ])
        )
        let (record, rejections) = try await intake.load(try pskc(intake))
        #expect(
            rejections == [
                3: .accountID, 4: .accountID, 5: .timeBased, 6: .limitedUse,
                7: .key(.unsupportedResponse), 8: .key(.counterMissing), 9: .limitedUse,
                10: .limitedUse,
            ]
        )
        #expect([record.line, record.accounts, record.tokens, record.rejected] == [10, 1, 2, 8])
        let (again, repeated) = try await intake.load(try pskc(intake))
        #expect(again == record)
        #expect(repeated == rejections)
        try intake.write(try document([try key("4712"), try key("4713")]))
        await #expect(throws: LoadFailure.differentFile) {
            try await intake.load(try pskc(intake))
        }
    }
}
