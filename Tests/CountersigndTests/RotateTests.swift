import Cryptography
import Foundation
import OneTimePassword
import ProgramTesting
import Sealing
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification

@Suite struct `countersignd rotate` {
    private func versions(in premises: Premises) throws -> [Substring] {
        String(decoding: try premises.contents("keys/encryption"), as: UTF8.self)
            .split(separator: "\n").compactMap { $0.split(separator: " ").first }
    }

    /// The number of secrets per key version, from another program (byte 1 is the format).
    private func secretsByVersion(in premises: Premises) throws -> String {
        try premises.sqlite3(
            """
            SELECT version || ' ' || count(*) FROM (
                SELECT hex(substr(code, 2, 4)) AS version FROM activations WHERE closed IS NULL
                UNION ALL SELECT hex(substr(fingerprint_key, 2, 4)) FROM verifier)
            GROUP BY version ORDER BY version
            """
        )
    }

    @Test func `the three steps encrypt all secrets with the new key and remove the old key`()
        throws
    {
        let premises = try Premises.initialized()
        #expect(try secretsByVersion(in: premises) == "00000001 1")

        let added = try premises.countersignd("rotate", "--add-key")
        #expect(added.exitCode == 0, "\(added.errorOutput)")
        #expect(added.output.contains("Version 2 of the encryption key is in"))
        #expect(try versions(in: premises) == ["1", "2"])
        #expect(try secretsByVersion(in: premises) == "00000001 1")

        let moved = try premises.countersignd("rotate")
        #expect(moved.exitCode == 0, "\(moved.errorOutput)")
        #expect(
            moved.output.hasPrefix("Encrypted 1 of 1 secret with version 2 of the encryption key")
        )
        #expect(try secretsByVersion(in: premises) == "00000002 1")
        #expect(try versions(in: premises) == ["1", "2"])

        let removed = try premises.countersignd("rotate", "--remove-old-keys", "--yes")
        #expect(removed.exitCode == 0, "\(removed.errorOutput)")
        #expect(try versions(in: premises) == ["2"])
        #expect(try premises.countersignd("rotate").output.contains("all secrets use version 2"))
    }

    @Test func `a repeated --add-key adds no second key`() throws {
        let premises = try Premises.initialized()
        for _ in 1...2 { #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0) }
        #expect(try versions(in: premises) == ["1", "2"])
    }

    @Test func `rotate works with a running verifier that has the new key`()
        async throws
    {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        let (running, store) = try await premises.open()
        let issue: @Sendable () async throws -> Void = {
            _ = try await running.issueActivation(for: Premises.account, by: .operatorCommand)
        }
        try await issue()
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
        // Between the steps the verifier uses the old key.
        try await issue()
        running.use(try KeyFile.encryptionKeys(in: .file(premises.path("keys/encryption"))))
        async let decisions: Void = {
            for _ in 1...20 { try await issue() }
        }()
        let moved = try premises.countersignd("rotate")
        try await decisions
        #expect(moved.exitCode == 0, "\(moved.errorOutput)")
        await store.close()
        #expect(try !secretsByVersion(in: premises).contains("00000001"))
        let removed = try premises.countersignd("rotate", "--remove-old-keys", "--yes")
        #expect(removed.exitCode == 0, "\(removed.errorOutput)")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `a running verifier continues after the rotation with the new key of its file`()
        async throws
    {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        let (running, store) = try await premises.open()
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
        #expect(try premises.countersignd("rotate").exitCode == 0)
        let removed = try premises.countersignd("rotate", "--remove-old-keys", "--yes")
        #expect(removed.exitCode == 0, "\(removed.errorOutput)")
        // Its secret was encrypted before it saw the new key.
        await #expect(throws: Verifier.Failure.store(.outdatedKey(version: 1))) {
            _ = try await running.issueActivation(for: Premises.account, by: .operatorCommand)
        }
        _ = try await running.issueActivation(for: Premises.account, by: .operatorCommand)
        await store.close()
        #expect(try secretsByVersion(in: premises) == "00000002 2")
    }

    @Test func `a running verifier reloads the key file`() async throws {
        let premises = try Premises.initialized()
        try premises.write(#"{"minimumTokenDigits": 6}"#, to: "policy.json")
        let policy = ["policy", "set", "bank", premises.path("policy.json"), "--new"]
        #expect(try premises.countersignd(policy).exitCode == 0)
        let (running, store) = try await premises.open()
        let secret = try Secret.random(byteCount: 20)
        let digits = secret.withBytes { TextEncoding.hexadecimal.encode($0) }
        try premises.write(
            """
            enterprise,account_type,account_id,token_serial,token_secret_hex
            bank,main,4711,A-1,\(digits)

            """,
            to: "accounts.csv"
        )
        #expect(try premises.countersignd("load", premises.path("accounts.csv")).exitCode == 0)
        let device = try #require(try await running.devices(of: Premises.account)?.first)
        for step in [["--add-key"], [], ["--remove-old-keys", "--yes"]] {
            let rotated = try premises.countersignd(["rotate"] + step)
            #expect(rotated.exitCode == 0, "\(rotated.errorOutput)")
        }
        let hotp = try HOTP(secret: secret, digits: TokenSuite().digits)
        let judged = try await running.verify(
            typed: hotp.code(at: Counter(0)).text,
            TypedSubmission(
                call: try await running.call(
                    IdempotencyKey(checked: "call"),
                    of: .operatorCommand,
                    in: Premises.account.enterprise,
                    for: []
                ),
                device: device.device.id,
                account: Premises.account
            ),
            by: .operatorCommand
        )
        #expect(judged.result == .accepted(nil))
        await store.close()
    }

    @Test(.killsAtSystemCalls)
    func `a killed rotation is completed by the next one`() async throws {
        for number in 1..<1000 {
            let premises = try Premises.initialized()
            try await premises.fill()
            #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
            let isKilled = try premises.kill("rotate", at: "fdatasync", number: number)
            let again = try premises.countersignd("rotate", "--remove-old-keys", "--yes")
            #expect(again.exitCode == 0, "\(again.errorOutput)")
            #expect(try versions(in: premises) == ["2"])
            #expect(try secretsByVersion(in: premises) == "00000002 2")
            #expect(try premises.countersignd("audit", "verify").exitCode == 0)
            guard isKilled else {
                #expect(number > 2, "rotate hardly writes")
                return
            }
        }
        Issue.record("no rotation completed")
    }

    @Test(.killsAtSystemCalls)
    func `a killed --add-key leaves a copy of the keys only until it is repeated`() throws {
        let premises = try Premises.initialized()
        let before = try premises.files()
        let calls = "?rename,?renameat,?renameat2"
        #expect(try premises.kill("rotate", "--add-key", at: calls))
        #expect(try versions(in: premises) == ["1"])
        let left = try premises.files().filter { !before.contains($0) }
        #expect(left.contains { $0.hasPrefix("keys/encryption.") }, "\(left)")
        let again = try premises.countersignd("rotate", "--add-key")
        #expect(again.exitCode == 0, "\(again.errorOutput)")
        #expect(try versions(in: premises) == ["1", "2"])
        #expect(try premises.files() == before)
    }

    @Test func `all keys are kept if a secret cannot be decrypted`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        for arguments in [["--add-key"], [], ["--add-key"]] {
            #expect(try premises.countersignd(["rotate"] + arguments).exitCode == 0)
        }
        let lines = String(decoding: try premises.contents("keys/encryption"), as: UTF8.self)
            .split(separator: "\n")
        try premises.write(lines.dropFirst().joined(separator: "\n") + "\n", to: "keys/encryption")
        let foreign = "0100000001" + String(repeating: "00", count: 60)
        #expect(try premises.sqlite3("UPDATE activations SET code = x'\(foreign)'") == "")
        let refused = try premises.countersignd("rotate", "--remove-old-keys", "--yes")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("1 row cannot be read with the keys"))
        #expect(refused.errorOutput.contains(": activations id="))
        #expect(try versions(in: premises) == ["2", "3"])
    }

    /// Otherwise an attacker who has the old key could keep it valid.
    @Test(arguments: ["00000001", "00000000", "00000007", "7fffffff"])
    func `SEC-101: old keys are removed although a row is forged, and the row is named`(
        _ version: String
    ) async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        let foreign = "01\(version)" + String(repeating: "00", count: 60)
        #expect(try premises.sqlite3("UPDATE activations SET code = x'\(foreign)'") == "")
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
        for arguments in [[], ["--remove-old-keys", "--yes"]] {
            let rotated = try premises.countersignd(["rotate"] + arguments)
            #expect(rotated.exitCode == 0, "\(rotated.errorOutput)")
            #expect(
                rotated.output.contains(
                    "1 row was not changed, because another program wrote it: activations id="
                )
            )
        }
        #expect(try versions(in: premises) == ["2"])
    }

    @Test func `rotate shows a progress bar on a terminal`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
        let shown = try premises.onTerminal("rotate")
        #expect(shown.exitCode == 0)
        #expect(
            shown.output.contains("\rEncrypting [########################] 100 %, 2 of 2\u{1B}[K")
        )
        #expect(shown.output.contains("\r\u{1B}[KEncrypted 2 of 2 secrets"))
    }

    @Test func `two steps at once are rejected`() throws {
        let premises = try Premises.initialized()
        let refused = try premises.countersignd("rotate", "--add-key", "--remove-old-keys")
        #expect(refused.exitCode == 64)
        #expect(try versions(in: premises) == ["1"])
    }
}
