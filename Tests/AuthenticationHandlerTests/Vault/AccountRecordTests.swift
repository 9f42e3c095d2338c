import Cryptography
import OneTimePassword
import Testing

@testable import AuthenticationHandler
@testable import TransactionApproval

@Suite struct `Account records` {
    private func full() throws -> AccountRecord {
        var record = try AccountRecord.sample()
        record.nextSigningKey = try P256.PrivateKey().publicKey
        record.awaitsPINChange = true
        record.state = .pending(
            SentCommit(
                activation: try .random(),
                claim: try HashAlgorithm.sha256.digest(of: [1].span),
                deviceKey: try P256.PrivateKey().publicKey
            )
        )
        record.user.proposed = try .random(Generation(1), in: Dependencies())
        return record
    }

    @Test func `are read in the stored form`() throws {
        for record in [try AccountRecord.sample(), try full()] {
            #expect(try AccountRecord(record.bytes) == record)
        }
    }

    @Test func `are rejected if they end early, at every byte`() throws {
        let bytes = try full().bytes
        for count in bytes.indices {
            #expect(throws: AccountRecord.Failure.self, "\(count)") {
                try AccountRecord(Array(bytes.prefix(count)))
            }
        }
    }

    @Test func `are rejected with trailing bytes`() throws {
        #expect(throws: AccountRecord.Failure.damaged) {
            try AccountRecord(try full().bytes + [0])
        }
    }

    /// If the changed bytes are a record, it is a different one with its own form.
    @Test func `have exactly one form`() throws {
        let bytes = try full().bytes
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                // A refusal is also correct: `try?`.
                guard let record = try? AccountRecord(changed) else { continue }
                #expect(record.bytes == changed, "byte \(place)")
            }
        }
    }

    @Test func `of a later version differ from damaged records`() throws {
        var bytes = try full().bytes
        bytes[5] = 2
        #expect(throws: AccountRecord.Failure.newer(version: 2)) { try AccountRecord(bytes) }
        bytes[5] = 0
        #expect(throws: AccountRecord.Failure.damaged) { try AccountRecord(bytes) }
    }

    @Test func `of another program are damaged records`() {
        #expect(throws: AccountRecord.Failure.damaged) { try AccountRecord(Array("{}".utf8)) }
        #expect(throws: AccountRecord.Failure.damaged) { try AccountRecord([]) }
    }

    @Test(arguments: [(1, 64 << 10, 4), (3, 8 << 10, 1)])
    func `with a low PIN cost are rejected (SEC-24)`(
        _ passes: Int,
        _ memoryKiB: Int,
        _ lanes: Int
    ) throws {
        let cost = try Argon2id.Cost(passes: passes, memoryKiB: memoryKiB, lanes: lanes)
        let bytes = try AccountRecord.sample(cost: cost).bytes
        #expect(throws: AccountRecord.Failure.damaged) { try AccountRecord(bytes) }
    }

    @Test func `print no share and no salt`() throws {
        let ingredients = try full().user.ingredients
        #expect("\(ingredients)" == "<redacted>")
        var dumped = ""
        dump(ingredients, to: &dumped)
        #expect(dumped == "- <redacted>\n")
    }
}
