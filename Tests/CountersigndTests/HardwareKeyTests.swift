import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Serialized: a token that one test removes disturbs the programs of other tests.
@Suite(.serialized) enum `Tokens of SoftHSM` {}

extension `Tokens of SoftHSM` {
    /// A verifier whose keys are in a token, over PKCS#11.
    @Suite(.timeLimit(.minutes(5))) struct `Keys in a token` {
        private let token: HardwareToken
        private let premises: Premises

        init() throws {
            token = try HardwareToken()
            premises = try Premises(token)
        }

        private func done(_ words: String...) throws -> String {
            let run = try premises.countersignd(words)
            try #require(run.exitCode == 0, "\(words): \(run.errorOutput)")
            return run.output
        }

        private static let labels = ["agreement", "checkpoint", "response", "sealing"]

        @Test func `SEC-109: init creates them so that they cannot leave the token`() throws {
            let first = try done("init")
            for label in Self.labels { #expect(first.contains("created  pkcs11:\(label)\n")) }
            let repeated = try done("init")
            for label in Self.labels { #expect(repeated.contains("found    pkcs11:\(label)\n")) }
            let objects = try token.objects()
            let keys = objects.filter { $0.hasPrefix("Private Key Object; EC") }
            #expect(keys.count == Self.labels.count)
            for key in keys {
                #expect(
                    key.contains("sensitive, always sensitive, never extractable, local"),
                    "\(key)"
                )
            }
            let uses = [
                "agreement": "sign, derive", "checkpoint": "sign", "response": "sign",
                "sealing": "derive",
            ]
            for (label, use) in uses {
                let key = try #require(keys.first { $0.contains("label:      \(label)\n") })
                #expect(key.contains("Usage:      \(use)\n"), "\(key)")
            }
            // The only other secret is sealed: 65 bytes and not 32.
            #expect(
                try premises.files() == [
                    "countersignd.json", "journal/journal", "journal/journal.head",
                    "keys/encryption", "keys/pin", "store/countersign.db",
                ]
            )
            let file = String(decoding: try premises.contents("keys/encryption"), as: UTF8.self)
            #expect(file.wholeMatch(of: /1 [0-9a-f]{130}\n/) != nil)
        }

        private func served() async throws -> (String, RunningVerifier) {
            _ = try done("init")
            try premises.write("{}", to: "policy.json")
            _ = try done("policy", "set", "bank", premises.path("policy.json"), "--new")
            let port = try freePort()
            try premises.serve(at: port)
            return ("https://localhost:\(port)", try RunningVerifier(premises))
        }

        private func ready(_ verifier: RunningVerifier) throws -> Fetched {
            try Fetched("http://127.0.0.1:\(verifier.operationPort)/health/ready")
        }

        @Test func `a removed token is reported, although no request needs it`() async throws {
            let (_, verifier) = try await served()
            token.disconnect()
            try verifier.wait(for: #""message":"keys unavailable""#)
            token.connect()
            try verifier.wait(for: #""message":"keys available""#)
            #expect(verifier.stop() == 0)
        }

        /// The verdict is committed, but its response cannot be signed.
        @Test func `SEC-109: a removed token stops responses, and loses nothing`() async throws {
            let (origin, verifier) = try await served()
            let backend = try Backend(premises, origin).adding(account: "4711", at: "bank")
            let app = try await premises.app(of: origin)
            try await premises.activate(app, of: origin, by: backend)
            let created = try backend.post("/transactions", OperatedVerifier.payment)
            let id = try #require(created["id"])
            let shown = try #require(try await app.pendingTransaction())
            #expect(try ready(verifier).body == "ready\n")

            token.disconnect()
            try await waitUntil { try ready(verifier).status == 503 }
            #expect(try ready(verifier).body == "keys.unavailable\n")
            let lost = try verifier.wait(for: #""message":"keys unavailable""#)
            #expect(
                lost.contains(#""level":"error""#)
                    && !lost.withoutRandomValues.contains(HardwareToken.pin)
            )
            await #expect(throws: AuthenticationError.self) {
                try await app.authenticateUsingUserPIN(shown, pin: Premises.typedPIN())
            }
            let decision = try verifier.wait(for: #""route":"POST /device/v1/decision""#)
            #expect(
                decision.contains(#""outcome":"serverUnavailable","status":503"#),
                "\(decision)"
            )

            token.connect()
            try await waitUntil { try ready(verifier).status == 200 }
            try verifier.wait(for: #""message":"keys available""#)
            // The device repeats its attempt, and gets the verdict that was stored.
            do {
                try await app.authenticateUsingUserPIN(shown, pin: Premises.typedPIN())
            } catch let error as AuthenticationError {
                #expect(error.code == .transactionAlreadyDecided)
            }
            let decided = try backend.get("/transactions/\(id)?wait=60")
            #expect(decided["state"] == "approved")
            let next = try backend.post("/transactions", OperatedVerifier.payment)
            let second = try #require(try await app.pendingTransaction())
            #expect(second.id == next["id"])
            try await app.authenticateUsingUserPIN(second, pin: Premises.typedPIN())
            #expect(verifier.stop() == 0)
            _ = try done("audit", "verify")
            let log = verifier.logLines.joined(separator: "\n").withoutRandomValues
            #expect(!log.contains(HardwareToken.pin))
        }

        /// The device of the only account.
        private func device() throws -> JSONObject {
            let shown = try JSONObject(done("account", "show", OperatedVerifier.account, "--json"))
            return try #require(shown["devices", 0])
        }

        /// The change is committed, and only its line in the journal waits for the token.
        @Test func `SEC-109: a revocation without the token outlives a restore`() async throws {
            let (origin, verifier) = try await served()
            let backend = try Backend(premises, origin).adding(account: "4711", at: "bank")
            let app = try await premises.app(of: origin)
            try await premises.activate(app, of: origin, by: backend)
            let id = try #require(try device().text("id"))
            let desk = "Authorization: Bearer \(try premises.token("desk", "customerService"))"
            let address = "\(origin)/bank/v1/enterprises/bank/accounts/main/4711/devices/\(id)"
            _ = try done("backup", premises.path("monday.db"))

            token.disconnect()
            try await waitUntil { try ready(verifier).status == 503 }
            #expect(try Fetched(address, "-XDELETE", "-H", desk).status == 503)
            // A state that a restore could still revert is not reported.
            #expect(try Fetched(address, "-H", desk).status == 503)
            token.connect()
            try await waitUntil { try ready(verifier).status == 200 }
            #expect(try Fetched(address, "-H", desk)["status"] == "revoked")
            #expect(verifier.stop() == 0)
            _ = try done("audit", "verify")
            try premises.putBack("monday.db")
            _ = try done("restore", "--yes")
            #expect(try device().text("status") == "revoked")
        }

        /// The other token has the same label, the same PIN, and keys with the same labels.
        @Test func `SEC-109: an exchanged token is not used`() async throws {
            let (_, verifier) = try await served()
            token.disconnect()
            let other = try HardwareToken(label: token.label)
            #expect(try Premises(other).countersignd("init").exitCode == 0)
            try await waitUntil { try ready(verifier).status == 503 }
            // At least two further checks, because a result is used for one second.
            let end = ContinuousClock.now + .seconds(3)
            try await waitUntil {
                let body = try ready(verifier).body
                #expect(body == "keys.unavailable\n")
                return .now > end
            }
            other.disconnect()
            token.connect()
            try await waitUntil { try ready(verifier).status == 200 }
            #expect(verifier.stop() == 0)
        }

        @Test func `a verifier that loses its token before the end signs the journal later`()
            async throws
        {
            let (_, verifier) = try await served()
            token.disconnect()
            #expect(verifier.stop() == 0)
            let refused = try premises.countersignd("run")
            #expect(refused.exitCode == 75)
            #expect(refused.errorOutput.contains("the HSM has no token with pkcs11.token"))
            token.connect()
            _ = try done("audit", "verify")
            let again = try RunningVerifier(premises)
            #expect(again.stop() == 0)
            let doctor = try premises.countersignd("doctor").output
            #expect(doctor.contains("keys: ok\nstore: ok\njournal: ok\n"), "\(doctor)")
        }

        @Test func `SEC-109: a rotation seals every new key, and the token is needed for it`()
            throws
        {
            _ = try done("init")
            #expect(try done("rotate", "--add-key").contains("Version 2 of the encryption key"))
            #expect(try done("rotate").hasPrefix("Encrypted 1 of 1 secret with version 2"))
            _ = try done("rotate", "--remove-old-keys", "--yes")
            let file = String(decoding: try premises.contents("keys/encryption"), as: UTF8.self)
            #expect(file.wholeMatch(of: /2 [0-9a-f]{130}\n/) != nil)
            token.disconnect()
            #expect(try premises.countersignd("rotate", "--add-key").exitCode == 75)
            #expect(try premises.contents("keys/encryption") == Data(file.utf8))
            token.connect()
            #expect(try done("rotate").contains("all secrets use version 2"))
        }

        @Test func `SEC-109: a restore needs the token of the backup`() async throws {
            _ = try done("init")
            _ = try done("backup", premises.path("monday.db"))
            try premises.write("{}", to: "policy.json")
            _ = try done("policy", "set", "bank", premises.path("policy.json"), "--new")
            try premises.putBack("monday.db")
            // Another token with keys of the same labels.
            let other = try HardwareToken()
            #expect(try Premises(other).countersignd("init").exitCode == 0)
            try premises.replace(token.label, by: other.label)
            let refused = try premises.countersignd("restore", "--yes")
            #expect(refused.exitCode == 65)
            #expect(
                refused.errorOutput.contains(
                    "is sealed in line 1 under another key than pkcs11.sealingKey"
                ),
                "\(refused.errorOutput)"
            )
            try premises.replace(other.label, by: token.label)
            #expect(try done("restore", "--yes").contains("Restored: the store continues"))
            _ = try done("audit", "verify")
        }

        @Test func `a restore waits for a verifier whose checkpoint key is in the token`()
            async throws
        {
            let (_, verifier) = try await served()
            let refused = try premises.countersignd("restore", "--yes")
            #expect(refused.exitCode == 75)
            #expect(refused.errorOutput.contains("a verifier or another command uses the store"))
            // Also with the new disk of a journal that was lost.
            try premises.replace(#""journal": "journal/"#, by: #""journal": "new/"#)
            let moved = try premises.countersignd("restore", "--journal-lost", "--yes")
            #expect(moved.exitCode == 75, "\(moved.output)\(moved.errorOutput)")
            #expect(verifier.stop() == 0)
        }

        @Test func `a store without its key in the token is not initialized again`() throws {
            _ = try done("init")
            token.disconnect()
            let empty = try HardwareToken()
            try premises.replace(token.label, by: empty.label)
            let refused = try premises.countersignd("init")
            #expect(refused.exitCode == 66)
            #expect(
                refused.errorOutput.contains("the journal exists, but pkcs11:checkpoint, which")
            )
            #expect(try empty.objects().isEmpty)
        }

        @Test func `an existing file of keys is sealed, and then only the token opens it`() throws {
            let premises = try Premises(token, isSealed: false)
            #expect(try premises.countersignd("init").exitCode == 0)
            try premises.replace(#""keys/pin"}"#, by: #""keys/pin", "sealingKey": "sealing"}"#)
            let refused = try premises.countersignd("doctor").output
            #expect(refused.contains("keys: the token has no key with the label sealing\n"))
            let sealed = try premises.countersignd("rotate", "--seal-keys")
            #expect(sealed.exitCode == 0, "\(sealed.errorOutput)")
            #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
            #expect(try premises.countersignd("rotate").exitCode == 0)
            let file = String(decoding: try premises.contents("keys/encryption"), as: UTF8.self)
            #expect(file.wholeMatch(of: /1 [0-9a-f]{130}\n2 [0-9a-f]{130}\n/) != nil)
            let repeated = try premises.countersignd("rotate", "--seal-keys")
            #expect(repeated.exitCode == 0, "\(repeated.errorOutput)")
            #expect(repeated.output.hasPrefix("Nothing to do: the keys in "))
            #expect(try premises.contents("keys/encryption") == Data(file.utf8))
        }

        @Test func `SEC-109: a new sealing key seals the file, and the old one no longer opens it`()
            throws
        {
            _ = try done("init")
            let old = try premises.contents("keys/encryption")
            try premises.replace(#""sealingKey": "sealing""#, by: #""sealingKey": "second""#)
            let unnamed = try premises.countersignd("rotate", "--seal-keys")
            #expect(unnamed.exitCode == 65)
            #expect(unnamed.errorOutput.contains("under another key than pkcs11.sealingKey"))
            let sealed = try done("rotate", "--seal-keys", "--former-key", "sealing")
            #expect(sealed.contains("are sealed with pkcs11:second.\n"))
            let examined = try premises.countersignd("doctor").output
            #expect(examined.contains("keys: ok\nstore: ok\n"), "\(examined)")
            let again = try done("rotate", "--seal-keys", "--former-key", "sealing")
            #expect(again.hasPrefix("Nothing to do: "))
            let new = try premises.contents("keys/encryption")
            #expect(new != old)
            try premises.replace(#""sealingKey": "second""#, by: #""sealingKey": "sealing""#)
            #expect(
                try premises.countersignd("doctor").output
                    .contains("is sealed in line 1 under another key than pkcs11.sealingKey")
            )
            let alone = try premises.countersignd("rotate", "--former-key", "sealing")
            #expect(alone.exitCode == 64)
        }

        /// The attacker can write to the key file, and has an earlier copy of it.
        @Test func `SEC-109: an earlier key file that is put back is refused`() async throws {
            let (_, verifier) = try await served()
            let first = String(decoding: try premises.contents("keys/encryption"), as: UTF8.self)
            // The other node has the newest file.
            let configuration = String(
                decoding: try premises.contents("countersignd.json"),
                as: UTF8.self
            )
            try premises.write(first, to: "keys/other")
            try premises.write(
                configuration.replacing("\"keys/encryption\"", with: "\"keys/other\""),
                to: "other.json"
            )
            func onOtherNode(_ words: String...) throws {
                let run = try FinishedProcess.run(
                    BuiltProducts.path(of: "countersignd"),
                    words + ["--config", premises.path("other.json")]
                )
                try #require(run.exitCode == 0, "\(run.errorOutput)")
            }
            try onOtherNode("rotate", "--add-key")
            try onOtherNode("rotate")
            // The running verifier lacks the newest key of the store.
            try await waitUntil { try ready(verifier).status == 503 }
            #expect(try ready(verifier).body == "sealedRecord\n")
            _ = verifier.stop()
            for step in ["before", "after"] {
                let refused = try premises.countersignd("run")
                #expect(refused.exitCode == 65, "\(step): \(refused.errorOutput)")
                #expect(refused.errorOutput.contains("version 2"), "\(refused.errorOutput)")
                if step == "before" { try onOtherNode("rotate", "--remove-old-keys", "--yes") }
            }
            let newest = String(decoding: try premises.contents("keys/other"), as: UTF8.self)
            try premises.write(newest, to: "keys/encryption")
            #expect(try RunningVerifier(premises).stop() == 0)
        }

        /// Otherwise the restore would end half, or its verifier could not start.
        @Test func `a restore without one of its keys changes nothing`() async throws {
            _ = try done("init")
            _ = try done("backup", premises.path("monday.db"))
            try premises.putBack("monday.db")
            let before = try premises.contents("store/countersign.db")
            try token.tool("--delete-object", "--type", "privkey", "--label", "response")
            let refused = try premises.countersignd("restore", "--yes")
            #expect(refused.exitCode == 66)
            #expect(refused.errorOutput.contains("no key with the label response"))
            #expect(try premises.contents("store/countersign.db") == before)
        }
    }
}
