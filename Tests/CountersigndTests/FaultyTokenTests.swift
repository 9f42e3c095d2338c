import Cryptography
import Foundation
import ProgramTesting
import ServerOperation
import TestSupport
import Testing
import TransactionApproval
import Verification

import class VerifierWorld.Phone

extension `Tokens of SoftHSM` {
    /// The library itself is the attacker: it hangs, or fails with any code.
    @Suite(.timeLimit(.minutes(10))) struct `A token that hangs or fails` {
        private let token: HardwareToken
        private let library: FaultyLibrary
        private let premises: Premises

        init() throws {
            token = try HardwareToken()
            library = try FaultyLibrary()
            premises = try Premises(token, library: FaultyLibrary.path)
        }

        private func countersignd(_ words: String...) throws -> FinishedProcess {
            try countersignd(words, in: library.environment)
        }

        private func countersignd(
            _ words: [String],
            in environment: [String: String]
        ) throws -> FinishedProcess {
            try FinishedProcess.run(
                BuiltProducts.path(of: "countersignd"),
                words + ["--config", premises.configuration],
                environment: environment
            )
        }

        @Test func `SEC-109: all keys are found by a library that returns one at a time`() throws {
            // The public key of an attacker comes first.
            _ = try token.importKey("attacker", in: premises.folder, "--usage-sign")
            let point = premises.path("attacker.public.der")
            try token.tool("--write-object", point, "--type", "pubkey", "--label", "response")
            for _ in 0..<2 {
                let made = try countersignd(["init"], in: library.slowEnvironment)
                #expect(made.exitCode == 0, "\(made.errorOutput)")
            }
            _ = try token.importKey("response", in: premises.folder, "--usage-sign", "--sensitive")
            let examined = try countersignd(["doctor"], in: library.slowEnvironment).output
            let finding = "keys: the token has several private keys with the label response"
            #expect(examined.contains(finding), "\(examined)")
        }

        /// A running verifier, and the output of `init`.
        private func served() throws -> (RunningVerifier, printed: String) {
            let made = try countersignd("init")
            try #require(made.exitCode == 0, "\(made.errorOutput)")
            try premises.serve(at: try freePort())
            return (try RunningVerifier(premises, environment: library.environment), made.output)
        }

        private func ready(_ verifier: RunningVerifier) throws -> Fetched {
            try Fetched("http://127.0.0.1:\(verifier.operationPort)/health/ready")
        }

        /// The claim of a stranger, who knows only the public agreement key.
        private func claim(_ verifier: RunningVerifier, _ printed: String) throws -> Fetching {
            let text = try #require(printed.firstMatch(of: /"agreementKey": "(\S+)"/)).1
            let point = try TextEncoding.base64URL.decode(String(text))
            return try claim(verifier, P256.PublicKey(uncompressedPoint: point.span))
        }

        private func claim(
            _ verifier: RunningVerifier,
            _ agreementKey: P256.PublicKey
        ) throws -> Fetching {
            let stranger = try Phone(agreeingWith: agreementKey)
            let claim = try stranger.claim(.random(), ActivationCode.random())
            let origin = "https://localhost:\(verifier.port)"
            let signed = try SignedRequest(
                ActivationClaimExchange.message(
                    claim,
                    to: try #require(ServerOrigin(origin))
                ),
                parameters: DeviceSignatureParameters(
                    deviceID: stranger.id,
                    created: .ofWallClock,
                    nonce: .random()
                ),
                signedWith: stranger.key
            )
            let fields = signed.fields.flatMap { ["-H", "\($0.name): \($0.value)"] }
            let body = String(decoding: signed.message.body, as: UTF8.self)
            return try Fetching(
                signed.message.targetURI,
                ["-i", "-XPOST", "--data-binary", body] + fields
            )
        }

        private func threadCount(of verifier: RunningVerifier) throws -> Int {
            try FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(verifier.processID)/task"
            ).count
        }

        @Test func `SEC-109: a call that hangs fails requests in time, and holds one thread`()
            async throws
        {
            let (verifier, printed) = try served()
            #expect(try claim(verifier, printed).end().status == 403)
            let threads = try threadCount(of: verifier)
            try library.hang("C_Sign")
            let start = ContinuousClock.now
            let waiting = try (0..<10).map { _ in try claim(verifier, printed) }
            for claim in waiting { #expect(try claim.end().status == 503) }
            #expect(.now - start < .seconds(20))
            #expect(try ready(verifier).body == "keys.unavailable\n")
            let lost = try verifier.wait(for: #""message":"keys unavailable""#)
            #expect(lost.contains("the HSM does not respond"))
            #expect(try threadCount(of: verifier) < threads + 5)
            // From now on, requests do not even wait.
            var durations: [Duration] = []
            for _ in 0..<3 {
                let refusal = ContinuousClock.now
                #expect(try claim(verifier, printed).end().status == 503)
                durations.append(.now - refusal)
            }
            // One can be slow on a busy machine; a wait takes five seconds.
            #expect(durations.min() ?? .seconds(5) < .seconds(4))

            try library.heal()
            try await waitUntil { try ready(verifier).status == 200 }
            try verifier.wait(for: #""message":"keys available""#)
            #expect(try claim(verifier, printed).end().status == 403)
            // A token that hangs does not stop the end of the process either.
            try library.hang("C_Sign")
            #expect(try claim(verifier, printed).end().status == 503)
            #expect(verifier.stop() == 0)
            try library.heal()
            #expect(try countersignd("audit", "verify").exitCode == 0)
        }

        @Test func `SEC-109: strangers cannot fill the queue of the token`() async throws {
            let (verifier, printed) = try served()
            var refused: [Fetched] = []
            // On a busy machine, many come only after the first ones have ended.
            for _ in 0..<5 where refused.count < 40 - 2 * 16 {
                try library.hang("C_DeriveKey")
                let claims = try (0..<40).map { _ in try claim(verifier, printed) }
                let responses = try claims.map { try $0.end() }
                #expect(responses.allSatisfy { $0.status == 503 })
                refused = responses.filter { response in
                    response.body.lowercased().contains("\r\nretry-after: 1\r\n")
                }
                try library.heal()
                try await waitUntil { try ready(verifier).status == 200 }
            }
            // At most 16 wait at one time.
            #expect(refused.count >= 40 - 2 * 16, "\(refused.count)")
            #expect(refused.allSatisfy { $0.body.contains("urn:countersign:serverUnavailable") })
            #expect(verifier.stop() == 0)
        }

        @Test func `SEC-109: a flood of claims stops no other request, and not the readiness`()
            async throws
        {
            let (verifier, printed) = try served()
            try library.delay("C_DeriveKey")
            var statuses: [Int] = []
            // If they come slowly, none is refused.
            for _ in 0..<5 where !statuses.contains(503) {
                let flood = try (0..<60).map { _ in try claim(verifier, printed) }
                for _ in 0..<5 {
                    // For another key, it needs only the signature of the response.
                    let other = try claim(verifier, P256.PrivateKey().publicKey).end()
                    #expect(other.status == 403)
                    #expect(try ready(verifier).status == 200)
                }
                statuses = try flood.map { try $0.end().status }
            }
            #expect(Set(statuses) == [403, 503], "\(statuses)")
            #expect(verifier.stop() == 0)
        }

        @Test func `a readiness check does not use a key that was used just now`() async throws {
            let (verifier, _) = try served()
            #expect(try ready(verifier).status == 200)
            let before = try library.calls(of: "C_Sign")
            let end = ContinuousClock.now + .seconds(5)
            try await waitUntil {
                let status = try ready(verifier).status
                #expect(status == 200)
                return .now > end
            }
            // Agreement, response and checkpoint key: twice in five seconds, not five times.
            #expect(try library.calls(of: "C_Sign") - before <= 6)
            #expect(verifier.stop() == 0)
        }

        /// The code may be the vendor's own for a wrong PIN.
        @Test func `SEC-109: a login that may have cost an attempt is not repeated`() throws {
            #expect(try countersignd("init").exitCode == 0)
            let before = try library.calls(of: "C_Login")
            try library.fail("C_Login", with: 0x8000_0001)
            let examined = try countersignd("doctor").output
            #expect(
                examined.contains(
                    "keys: the token rejects the login with 0x80000001, and may count it"
                ),
                "\(examined)"
            )
            #expect(try library.calls(of: "C_Login") == before + 1)
            // The service manager does not start it again.
            #expect(try countersignd("run").exitCode == 77)
            // CKR_TOKEN_NOT_PRESENT: nothing has compared the PIN.
            try library.fail("C_Login", with: 0xe0)
            #expect(try countersignd("run").exitCode == 75)
        }

        @Test func `SEC-109: a lost key does not disturb the others`() async throws {
            let (verifier, printed) = try served()
            let (logins, starts) = (
                try library.calls(of: "C_Login"), try library.calls(of: "C_Initialize")
            )
            try token.tool("--delete-object", "--type", "privkey", "--label", "checkpoint")
            try await waitUntil { try ready(verifier).body == "keys.unavailable\n" }
            let lost = try verifier.wait(for: #""message":"keys unavailable""#)
            #expect(lost.contains("checkpoint") || lost.contains("C_SignInit"), "\(lost)")
            let end = ContinuousClock.now + .seconds(4)
            try await waitUntil {
                let (readiness, response) = (
                    try ready(verifier).status, try claim(verifier, printed).end().status
                )
                #expect(readiness == 503)
                // Both responses are signed. After many claims, the network has reached its limit.
                #expect([403, 429].contains(response))
                return .now > end
            }
            #expect(try library.calls(of: "C_Login") == logins)
            #expect(try library.calls(of: "C_Initialize") == starts)
            verifier.signal(SIGKILL)
        }

        /// CKR_SESSION_HANDLE_INVALID, as after a failover of the vendor's appliance.
        @Test func `a session that ended is opened again, at most once per second`() async throws {
            let (verifier, printed) = try served()
            try library.fail("C_SignInit", with: 0xb3)
            try await waitUntil { try ready(verifier).status == 503 }
            let logins = try library.calls(of: "C_Login")
            let start = ContinuousClock.now
            for _ in 0..<30 { #expect(try claim(verifier, printed).end().status == 503) }
            let seconds = Int((ContinuousClock.now - start).components.seconds)
            #expect(try library.calls(of: "C_Login") - logins <= seconds + 2)
            try library.heal()
            try await waitUntil { try ready(verifier).status == 200 }
            #expect(try claim(verifier, printed).end().status == 403)
            #expect(verifier.stop() == 0)
        }

        /// Only a restart of the verifier helps then, so the first reason is not enough.
        @Test func `each different reason of a loss is reported once`() async throws {
            let (verifier, _) = try served()
            try library.fail("C_SignInit", with: 0xb3)
            try await waitUntil { try ready(verifier).status == 503 }
            let lost = try verifier.wait(for: #""message":"keys unavailable""#)
            #expect(lost.contains("C_SignInit of pkcs11.library failed with 0xb3"), "\(lost)")
            try library.fail([("C_SignInit", 0xb3), ("C_Login", 0x8000_0001)])
            let logins = try library.calls(of: "C_Login")
            try await waitUntil {
                let status = try ready(verifier).status
                #expect(status == 503)
                return try library.calls(of: "C_Login") > logins
            }
            try verifier.wait(for: "the token rejects the login with 0x80000001")
            let end = ContinuousClock.now + .seconds(3)
            try await waitUntil {
                let status = try ready(verifier).status
                #expect(status == 503)
                return .now > end
            }
            #expect(verifier.stop() == 0)
            let lines = verifier.logLines.filter { $0.contains(#""message":"keys unavailable""#) }
            #expect(lines.count == 2 && Set(lines).count == 2, "\(lines)")
        }

        /// CKR_GENERAL_ERROR of one key, while the PIN file is spoiled: the other keys still work.
        @Test func `a general error does not end a session that could not begin again`()
            async throws
        {
            let (verifier, printed) = try served()
            try premises.write("\n", to: "keys/pin")
            let logins = try library.calls(of: "C_Login")
            try library.fail("C_DeriveKey", with: 0x5)
            let end = ContinuousClock.now + .seconds(3)
            try await waitUntil {
                let status = try claim(verifier, printed).end().status
                #expect(status == 503)
                return .now > end
            }
            try library.heal()
            try await waitUntil { try ready(verifier).status == 200 }
            #expect(try claim(verifier, printed).end().status == 403)
            #expect(try library.calls(of: "C_Login") == logins)
            // With the PIN, another session could help.
            try premises.write(HardwareToken.pin + "\n", to: "keys/pin")
            try library.fail("C_DeriveKey", with: 0x5)
            try await waitUntil {
                let status = try claim(verifier, printed).end().status
                #expect(status == 503)
                return try library.calls(of: "C_Login") > logins
            }
            #expect(verifier.stop() == 0)
        }

        /// The deadline of a request is too short for a verdict about the login.
        @Test func `a slow login for a request is not reported as one that may count`() async throws
        {
            let (verifier, printed) = try served()
            let logins = try library.calls(of: "C_Login")
            try library.fail("C_SignInit", with: 0xb3, andHang: "C_Login")
            try await waitUntil {
                let status = try claim(verifier, printed).end().status
                #expect(status == 503)
                return try library.calls(of: "C_Login") > logins
            }
            try verifier.wait(for: "the HSM does not respond")
            try library.heal()
            try await waitUntil { try ready(verifier).status == 200 }
            #expect(verifier.stop() == 0)
            #expect(!verifier.logLines.contains { $0.contains("may count it") })
        }

        @Test func `SEC-109: a secret that stays in the token is reported`() throws {
            #expect(try countersignd("init").exitCode == 0)
            // CKR_ACTION_PROHIBITED.
            try library.fail("C_DestroyObject", with: 0x1b)
            let examined = try countersignd("doctor").output
            #expect(
                examined.contains("C_DestroyObject of pkcs11.library failed with 0x1b"),
                "\(examined)"
            )
        }

        @Test func `each program ends its sessions before it exits`() throws {
            let (verifier, _) = try served()
            #expect(verifier.stop() == 0)
            #expect(try countersignd("doctor").exitCode == 1)
            try premises.write("111111\n", to: "keys/pin")
            #expect(try countersignd("run").exitCode == 77)
            let starts = try library.calls(of: "C_Initialize")
            #expect(starts >= 4)
            #expect(try library.calls(of: "C_Finalize") == starts)
        }

        /// Without a limit, a start would wait for ever, and a service manager would see a success.
        @Test func `a start with a token that hangs fails`() throws {
            #expect(try countersignd("init").exitCode == 0)
            try library.hang("C_OpenSession")
            let start = ContinuousClock.now
            let refused = try countersignd("run")
            #expect(refused.exitCode == 75)
            #expect(refused.errorOutput.contains("the HSM does not respond"))
            #expect(.now - start < .seconds(90))
        }

        /// The service manager would start it again, and each start would enter the PIN.
        @Test func `SEC-109: a start whose login hangs is not repeated`() throws {
            #expect(try countersignd("init").exitCode == 0)
            try library.hang("C_Login")
            let refused = try countersignd("run")
            #expect(refused.exitCode == 77)
            #expect(
                refused.errorOutput.contains(
                    "the token does not respond to the login, and may count it"
                ),
                "\(refused.errorOutput)"
            )
        }
    }
}
