import Cryptography
import Foundation
import PrivateFiles
import ProgramTesting
import TestSupport
import Testing

@testable import HardwareKeys

extension `Tokens of SoftHSM` {
    /// Tokens, libraries and keys that an attacker or a mistake has changed.
    @Suite struct `A token is refused` {
        private let token: HardwareToken
        private let premises: Premises

        init() throws {
            token = try HardwareToken()
            premises = try Premises(token)
        }

        private func expectRefusal(
            _ exitCode: Int32,
            _ message: String,
            by command: String = "init"
        ) throws {
            let refused = try premises.countersignd(command)
            #expect(refused.exitCode == exitCode, "\(refused.errorOutput)")
            #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
            #expect(!refused.errorOutput.contains(HardwareToken.pin))
        }

        /// pkcs11-spy is a library that passes all calls on, and logs them.
        @Test func `SEC-109: with a wrong PIN, which is entered once and never again`() async throws
        {
            let spy = "/usr/lib/x86_64-linux-gnu/pkcs11-spy.so"
            #expect(try premises.countersignd("init").exitCode == 0)
            try premises.write("111111\n", to: "keys/pin")
            try premises.replace(HardwareToken.library, by: spy)
            let log = premises.path("calls")
            let words = ["doctor", "--config", premises.configuration]
            let examined = try FinishedProcess.run(
                BuiltProducts.path(of: "countersignd"),
                words,
                environment: ["PKCS11SPY": HardwareToken.library, "PKCS11SPY_OUTPUT": log]
            )
            // Five parts of the doctor need the token.
            #expect(examined.output.contains("keys: the token rejects the PIN in pkcs11.pinFile"))
            let calls = try String(contentsOfFile: log, encoding: .utf8)
            #expect(calls.matches(of: /(?m)^\d+: C_Login$/).count == 1, "\(calls)")
            // Then the service manager must not start the program again. If it does, or if an operator
            // starts more commands, the same PIN is not tried again.
            let counted = "a wrong PIN was entered at the token since its last login"
            try premises.replace(spy, by: HardwareToken.library)
            for _ in 0..<3 { try expectRefusal(77, counted, by: "run") }
            try premises.write(HardwareToken.pin + "\n", to: "keys/pin")
            try expectRefusal(77, counted, by: "run")
            // The token was not locked, and a login with another program ends the refusal.
            _ = try token.objects()
            #expect(try premises.countersignd("doctor").output.contains("keys: ok\n"))
        }

        /// The right PIN would be accepted afterwards: no attempt was lost.
        @Test(arguments: [
            "\n", " \(HardwareToken.pin)\n", "\(HardwareToken.pin)\r\n",
            "\u{feff}\(HardwareToken.pin)\n",
        ])
        func `SEC-109: with a spoiled line as the PIN, which is not sent`(_ line: String) throws {
            try premises.write(line, to: "keys/pin")
            try expectRefusal(65, "the PIN file ")
        }

        @Test func `if the library is not one`() throws {
            try premises.replace(HardwareToken.library, by: "/nonexistent.so")
            try expectRefusal(66, "pkcs11.library cannot be loaded: /nonexistent.so: No such file")
            try premises.replace("/nonexistent.so", by: "/lib/x86_64-linux-gnu/libm.so.6")
            try expectRefusal(66, "has no C_GetFunctionList")
        }

        @Test(arguments: [0o664, 0o646]) func `SEC-109: if others can replace the library`(
            _ mode: Int
        ) throws {
            try Data(contentsOf: URL(filePath: HardwareToken.library))
                .write(to: URL(filePath: premises.path("library.so")))
            #expect(chmod(premises.path("library.so"), mode_t(mode)) == 0)
            try premises.replace(HardwareToken.library, by: premises.path("library.so"))
            try expectRefusal(
                77,
                "other users can replace pkcs11.library, because of \(premises.path("library.so"))"
            )
        }

        /// In such a folder, another user can replace the library, whatever its own rights are.
        @Test func `SEC-109: if others can write to a folder above the library, behind any link`()
            throws
        {
            #expect(mkdir(premises.path("open"), 0o700) == 0)
            #expect(mkdir(premises.path("open/vendor"), 0o700) == 0)
            let library = premises.path("open/vendor/library.so")
            try Data(contentsOf: URL(filePath: HardwareToken.library))
                .write(to: URL(filePath: library))
            #expect(chmod(library, 0o644) == 0)
            #expect(chmod(premises.path("open"), 0o777) == 0)
            try premises.replace(HardwareToken.library, by: library)
            let message =
                "other users can replace pkcs11.library, because of \(premises.path("open"))\n"
            try expectRefusal(77, message)
            #expect(symlink(library, premises.path("link.so")) == 0)
            try premises.replace(library, by: premises.path("link.so"))
            try expectRefusal(77, message)
        }

        @Test func `if it is missing, or its PIN file is`() throws {
            try premises.remove("keys/pin")
            try expectRefusal(66, "does not exist")
            try premises.write(HardwareToken.pin, to: "keys/pin")
            #expect(chmod(premises.path("keys/pin"), 0o644) == 0)
            try expectRefusal(77, "keys/pin")
            #expect(chmod(premises.path("keys/pin"), 0o600) == 0)
            try premises.replace(token.label, by: "another")
            try expectRefusal(75, "the HSM has no token with pkcs11.token or pkcs11.slot")
        }

        @Test(arguments: [
            (#""token": "#, #""slot": 1, "token": "#, "must contain either token or slot"),
            (#""pkcs11:response""#, #""pkcs11:agreement""#, "name the same key of the token"),
            (#""pkcs11:response""#, #""pkcs11:""#, "has no label after pkcs11:"),
            (#""pkcs11": {"#, #""log": {}, "nothing": {"#, "unknown member nothing"),
        ])
        func `in a configuration with two meanings`(
            _ old: String,
            _ new: String,
            _ message: String
        ) throws {
            if new.contains("\"log\"") {
                try premises.replace("\"log\": {\"level\": \"info\"},", by: "")
            }
            try premises.replace(old, by: new)
            try expectRefusal(65, message)
        }

        /// A key that the administrator of the token can copy is not better than a file.
        @Test func `SEC-109: if a key can be read out of it`() throws {
            _ = try token.importKey(
                "response",
                in: premises.folder,
                "--usage-sign",
                "--extractable"
            )
            try expectRefusal(65, "the key response can be read out of the token")
        }

        /// Devices would trust the attacker's key, which signs whatever the attacker likes.
        @Test func `SEC-109: if a public key belongs to another private key`() throws {
            #expect(try premises.countersignd("init").exitCode == 0)
            for name in ["response", "agreement"] {
                try token.tool("--delete-object", "--type", "pubkey", "--label", name)
                _ = try token.importKey("attacker", in: premises.folder, "--usage-sign")
                let point = premises.path("attacker.public.der")
                try token.tool("--write-object", point, "--type", "pubkey", "--label", name)
                let examined = try premises.countersignd("doctor").output
                #expect(examined.contains("keys: the key \(name) of the token is another key"))
            }
        }

        /// On many tokens, a person without the PIN can add public objects.
        @Test func `SEC-109: a public key that an attacker adds with the label changes nothing`()
            throws
        {
            let before = try premises.countersignd("init").output
            for name in ["response", "agreement"] {
                _ = try token.importKey("attacker", in: premises.folder, "--usage-sign")
                let point = premises.path("attacker.public.der")
                try token.tool("--write-object", point, "--type", "pubkey", "--label", name)
            }
            let keys = /(?s)"agreementKey".*"signingKey": "\S+"/
            let printed = try #require(before.firstMatch(of: keys)).output
            #expect(try premises.countersignd("init").output.contains(printed))
        }

        /// One of 256 points begins like the wrapping of a point.
        @Test func `but not for a point that its library does not wrap`() {
            let point = [0x04, 65] + [UInt8](repeating: 7, count: 63)
            #expect(Session.unwrapped(point) == point)
            #expect(Session.unwrapped([0x04, 65] + point) == point)
        }

        @Test func `if two private keys have the label`() throws {
            #expect(try premises.countersignd("init").exitCode == 0)
            _ = try token.importKey("response", in: premises.folder, "--usage-sign", "--sensitive")
            let examined = try premises.countersignd("doctor").output
            let finding = "keys: the token has several private keys with the label response"
            #expect(examined.contains(finding), "\(examined)")
        }

        /// A person enters it at the token, while the verifier has lost another key.
        @Test func `not while other keys work in it, after a wrong PIN`() async throws {
            let module = try SecurityModule.shared(
                SecurityModule.Settings(
                    library: HardwareToken.library,
                    token: .label(token.label),
                    pinFile: premises.path("keys/pin"),
                    maximumAgeAfterFailure: .zero
                )
            )
            defer { SecurityModule.closeAll() }
            func key(_ label: String) throws -> HardwareKey {
                try module.createKey(label, for: .signing)
                let key = try module.key(label, for: .signing)
                return HardwareKey(
                    module: module,
                    label: label,
                    use: .signing,
                    publicKey: key.publicKey
                )
            }
            let (kept, lost) = (try key("response"), try key("checkpoint"))
            try kept.check()
            try token.tool("--delete-object", "--type", "privkey", "--label", "checkpoint")
            try token.enterWrongPIN()
            // A younger session is kept in any case.
            let end = ContinuousClock.now + .milliseconds(1200)
            try await waitUntil { .now > end }
            for _ in 0..<2 {
                #expect(throws: SecurityModule.Failure.self) { try lost.check() }
                try kept.check()
            }
        }

        /// Without the token, an attacker knows only the public keys and the format of the file.
        @Test func `SEC-109: a key file that was written without the token is refused`() throws {
            #expect(try premises.countersignd("init").exitCode == 0)
            let file = String(decoding: try premises.contents("keys/encryption"), as: UTF8.self)
            let plain = "2 " + String(repeating: "0a", count: 32) + "\n"
            try premises.write(file + plain, to: "keys/encryption")
            #expect(try premises.countersignd("doctor").output.contains("is not sealed in line 2"))
            try premises.write(file + "2 " + file.dropFirst(2), to: "keys/encryption")
            #expect(
                try premises.countersignd("doctor").output.contains(
                    "is sealed in line 2 under another"
                )
            )
            // Without the member, sealed keys are not keys.
            try premises.write(file, to: "keys/encryption")
            try premises.replace(#", "sealingKey": "sealing""#, by: "")
            #expect(
                try premises.countersignd("doctor").output
                    .contains("is sealed in line 1, but pkcs11.sealingKey is not set")
            )
        }
    }
}

/// No library is needed: the process has not loaded it yet.
@Suite struct `A token in one process` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func module(_ label: String, _ name: String = "library.so") throws -> SecurityModule {
        try .shared(
            SecurityModule.Settings(
                library: folder.path + "/" + name,
                token: .label(label),
                pinFile: folder.path + "/pin"
            )
        )
    }

    @Test func `is the only one of its library`() throws {
        let first = try module("first")
        #expect(throws: SecurityModule.Failure.libraryInUse) { try module("second") }
        #expect(try module("first") === first)
    }

    @Test func `is the only one of its library behind a link`() throws {
        let library = try folder.write("not loaded", to: "library.so")
        #expect(symlink(library, folder.path + "/link.so") == 0)
        _ = try module("first")
        #expect(throws: SecurityModule.Failure.libraryInUse) { try module("second", "link.so") }
    }

    @Test func `reports no change to an observer that was removed`() throws {
        let module = try module("first")
        let (kept, removed) = (LockedValue(0), LockedValue(0))
        _ = module.addObserver { _ in kept.withLock { $0 += 1 } }
        module.removeObserver(module.addObserver { _ in removed.withLock { $0 += 1 } })
        let key = HardwareKey(
            module: module,
            label: "key",
            use: .signing,
            publicKey: try P256.PrivateKey().publicKey
        )
        #expect(throws: SecurityModule.Failure.self) { try key.check() }
        #expect(kept.withLock { $0 } == 1)
        #expect(removed.withLock { $0 } == 0)
    }
}
