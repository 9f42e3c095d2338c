import Foundation
import ProgramTesting
import TestSupport
import Testing

/// José and OpenSSL make the keys, and judge each token; see `Tests/JOSETests` for the libraries.
@Suite struct `Tokens at the command line` {
    private let folder: TemporaryFolder
    private let text = "{\"a\":\"ü\"}\n"

    private static let keys = Result { try madeKeys() }

    init() throws {
        folder = try TemporaryFolder(copying: Self.keys.get())
        _ = try folder.write(text, to: "text")
    }

    private static func madeKeys() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let recipes = [
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.pem",
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.pem",
            "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.pem",
            "openssl pkey -in ec.pem -pubout -out ec.pub.pem",
            "openssl pkey -in rsa.pem -pubout -out rsa.pub.pem",
            "openssl req -x509 -key ec.pem -subj /CN=acs -days 2 -out ec.crt",
            "openssl req -x509 -key rsa.pem -subj /CN=directory -days 2 -out rsa.crt",
            #"jose jwk gen -i '{"kty":"EC","crv":"P-256"}' -o ec.jwk"#,
            "jose jwk pub -i ec.jwk -o ec.pub",
            #"jose jwk gen -i '{"kty":"oct","bytes":16}' -o short.jwk"#,
            #"jose jwk gen -i '{"kty":"oct","bytes":32}' -o long.jwk"#,
        ]
        for recipe in recipes {
            try #require(try shell(recipe, in: folder).exitCode == 0, "\(recipe)")
        }
        return folder
    }

    private func shell(_ line: String) throws -> FinishedProcess {
        try Self.shell(line, in: folder)
    }

    private static func shell(_ line: String, in folder: TemporaryFolder) throws -> FinishedProcess
    {
        let script = "cd \"$0\" && umask 077 && { \(line); }"
        return try FinishedProcess.run("sh", ["-c", script, folder.path])
    }

    /// Runs the program with words that are separated by spaces.
    private func program(_ line: String) throws -> FinishedProcess {
        try shell("'\(CardProgram.path)' \(line)")
    }

    @Test(
        arguments: [
            ("rsa.crt", "rsa.pem", "RSA-OAEP-256", "A128GCM"),
            ("rsa.crt", "rsa.pem", "RSA-OAEP-256", "A128CBC-HS256"),
            ("ec.crt", "ec.pem", "ECDH-ES", "A128GCM"),
            ("ec.pub", "ec.jwk", "ECDH-ES", "A128CBC-HS256"),
            ("ec.pub.pem", "ec.pem", "ECDH-ES", "A128GCM"),
            ("rsa.pub.pem", "rsa.pem", "RSA-OAEP-256", "A128GCM"),
            ("short.jwk", "short.jwk", "dir", "A128GCM"),
            ("long.jwk", "long.jwk", "dir", "A128CBC-HS256"),
        ]
    )
    func `are opened by the other key`(
        sealing: String,
        opening: String,
        algorithm: String,
        encryption: String
    ) throws {
        let sealed = "jwe seal text --key \(sealing) --encryption \(encryption) >token"
        #expect(try program(sealed).exitCode == 0)
        #expect(try program("jwe open token --key \(opening)").output == text)
        let json = try program("jwe open token --key \(opening) --json").output
        let facts = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        let expected = ["algorithm": algorithm, "encryption": encryption, "text": text]
        #expect(facts == expected)
    }

    @Test(arguments: [
        ("ec.pub", "ec.jwk", "ECDH-ES", "A128CBC-HS256"),
        ("ec.pub", "ec.jwk", "ECDH-ES", "A128GCM"),
        ("short.jwk", "short.jwk", "dir", "A128GCM"),
        ("long.jwk", "long.jwk", "dir", "A128CBC-HS256"),
    ])
    func `are opened by José, and those of José here`(
        sealing: String,
        opening: String,
        algorithm: String,
        encryption: String
    ) throws {
        // José refuses a line break at the end.
        let ours = "jwe seal text --key \(sealing) --encryption \(encryption) | tr -d '\\n' >ours"
        #expect(try program(ours).exitCode == 0)
        #expect(try shell("jose jwe dec -i ours -k \(opening)").output == text)
        let header = #"{"protected":{"alg":"\#(algorithm)","enc":"\#(encryption)"}}"#
        let theirs = "jose jwe enc -i '\(header)' -I text -k \(sealing) -c -o theirs"
        #expect(try shell(theirs).exitCode == 0)
        #expect(try program("jwe open theirs --key \(opening)").output == text)
    }

    @Test func `have the name of the key and of the peer`() throws {
        let line = "jwe seal text --key short.jwk --encryption A128GCM --key-id 7 >token"
        #expect(try program(line).exitCode == 0)
        let json = try program("jwe open token --key short.jwk --json").output
        #expect(json.contains(#""keyID":"7""#))
        let peer = "jwe seal text --key ec.crt --encryption A128GCM --for A000000003 >token"
        #expect(try program(peer).exitCode == 0)
        #expect(try program("jwe open token --key ec.pem --for A000000003").output == text)
        for other in ["", "--for A000000004"] {
            let refused = try program("jwe open token --key ec.pem \(other)")
            #expect(refused.exitCode == 1 && refused.output.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("ec.pem", "ec.crt", "rsa.crt ec.pub"), ("rsa.pem", "rsa.crt", "ec.crt ec.pub"),
            ("ec.jwk", "ec.pub", "ec.crt rsa.crt"), ("ec.pem", "ec.pub.pem", "rsa.pub.pem"),
            ("rsa.pem", "rsa.pub.pem", "ec.pub.pem"),
        ]
    )
    func `are signed and verified`(signing: String, verifying: String, others: String) throws {
        #expect(try program("jws sign text --key \(signing) >token").exitCode == 0)
        #expect(try program("jws open token --key \(verifying)").output == text)
        for other in others.split(separator: " ") {
            let refused = try program("jws open token --key \(other)")
            #expect(refused.exitCode == 1 && refused.output.isEmpty)
            let message = "token is not an authentic token for this key"
            #expect(refused.errorOutput == "countersign-3ds: \(message)\n")
        }
    }

    @Test func `are verified by José, and those of José here`() throws {
        #expect(try program("jws sign text --key ec.jwk | tr -d '\\n' >ours").exitCode == 0)
        #expect(try shell("jose jws ver -i ours -k ec.pub -O-").output == text)
        let theirs =
            #"jose jws sig -s '{"protected":{"alg":"ES256"}}' -I text -k ec.jwk -c -o theirs"#
        #expect(try shell(theirs).exitCode == 0)
        #expect(try program("jws open theirs --key ec.pub").output == text)
    }

    @Test(arguments: ["ec", "rsa"]) func `have a chain of certificates`(_ name: String) throws {
        let other = name == "ec" ? "rsa" : "ec"
        let recipe = """
            openssl req -new -key \(name).pem -subj /CN=leaf -out leaf.csr &&
            openssl x509 -req -in leaf.csr -CA \(other).crt -CAkey \(other).pem -days 2 -out leaf.crt
            """
        try #require(try shell(recipe).exitCode == 0)
        let line = "jws sign text --key \(name).pem --certificates leaf.crt >token"
        #expect(try program(line).exitCode == 0)
        #expect(try program("jws open token --anchor \(other).crt").output == text)
        // Both certificates end after two days.
        let later = "jws open token --anchor \(other).crt --at $(($(date +%s) + 200000))"
        #expect(try program(later).exitCode == 1)
        // Neither another CA nor the signer's own certificate is the anchor.
        for anchor in ["\(name).crt", "leaf.crt"] {
            #expect(try program("jws open token --anchor \(anchor)").exitCode == 1)
        }
        let wrong = try program("jws sign text --key \(other).pem --certificates leaf.crt")
        #expect(wrong.exitCode == 65 && wrong.output.isEmpty)
    }

    @Test func `are refused after each change of a character`() throws {
        let sealing = "jwe seal text --key ec.pub --encryption A128GCM >token"
        #expect(try program(sealing).exitCode == 0)
        let token = try String(contentsOfFile: "\(folder.path)/token", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        for part in token.split(separator: ".", omittingEmptySubsequences: false).indices {
            var parts = token.split(separator: ".", omittingEmptySubsequences: false)
                .map(String.init)
            parts[part] = (parts[part].hasPrefix("A") ? "B" : "A") + parts[part].dropFirst()
            _ = try folder.write(parts.joined(separator: "."), to: "changed")
            let refused = try program("jwe open changed --key ec.jwk")
            #expect((refused.exitCode, refused.output) == (1, ""), "part \(part)")
            let message = "changed is not an authentic token for this key"
            #expect(refused.errorOutput == "countersign-3ds: \(message)\n")
        }
    }

    /// The command line, its exit code, and a part of the message.
    @Test(
        arguments: [
            (
                "jwe seal text --key ec.jwk --encryption A128GCM", 65,
                "hint: use the recipient's public"
            ),
            (
                "jwe seal text --key ec.pem --encryption A128GCM", 65,
                "hint: use the recipient's public"
            ),
            ("jwe seal text --key long.jwk --encryption A128GCM", 65, "an oct key has 16 bytes"),
            ("jwe seal text --key text --encryption A128GCM", 65, "is not a key of a known kind"),
            ("jwe seal text --key p384.pem --encryption A128GCM", 65, "EC keys of P-256"),
            ("jwe seal text --key ec.pub --encryption A256GCM", 64, "must be one of A128CBC-HS256"),
            ("jwe seal text --key none --encryption A128GCM", 66, "cannot open none"),
            ("jwe open text --key ec.pub", 65, "use the recipient's private key"),
            ("jwe open text --key ec.jwk", 1, "not an authentic token"),
            ("jws sign text --key ec.crt", 65, "use a private EC key"),
            ("jws sign text --key long.jwk", 65, "use a private EC key"),
            ("jws sign text --key ec.pem --certificates text", 65, "has no certificate in PEM"),
            ("jws open text --key ec.jwk", 65, "use a public key, or a certificate"),
            ("jws open text", 64, "exactly one of --key and --anchor"),
            ("jws open text --key ec.pub --anchor ec.crt", 64, "exactly one of --key"),
            ("jws open text --key ec.pub --at 5", 64, "--at needs --anchor"),
            ("jws sign text --key ec.pem >/dev/full", 74, "No space left on device"),
            ("jwe", 64, "jwe needs a subcommand"),
        ] as [(String, Int32, String)]
    )
    func `are refused with a clear message`(
        line: String,
        exitCode: Int32,
        message: String
    ) throws {
        let refused = try program(line)
        #expect(refused.exitCode == exitCode)
        #expect(refused.output.isEmpty)
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
    }

    @Test func `with other content than text are printed as base64url`() throws {
        let bytes = #"printf '\377\000' | '\#(CardProgram.path)' jws sign - --key ec.pem >token"#
        #expect(try shell(bytes).exitCode == 0)
        let plain = try program("jws open token --key ec.crt")
        #expect(plain.exitCode == 65 && plain.output.isEmpty)
        let json = try program("jws open token --key ec.crt --json")
        #expect(json.output == #"{"algorithm":"ES256","base64url":"_wA"}"# + "\n")
        // A text with U+0000 has no form in JSON here.
        let sealed = "printf 'a\\000' >null && '\(CardProgram.path)' jwe seal null --key short.jwk"
        #expect(try shell(sealed + " --encryption A128GCM >token").exitCode == 0)
        let opened = try program("jwe open token --key short.jwk --json")
        #expect(opened.output.contains(#""base64url":"YQA""#), "\(opened.errorOutput)")
    }

    @Test func `cannot move the cursor of a screen, and are exact in a pipe`() throws {
        let hostile = #"a\033[2Jb\342\200\256\r\n"#
        let line = "printf '\(hostile)' | '\(CardProgram.path)' jws sign - --key ec.pem >token"
        #expect(try shell(line).exitCode == 0)
        let piped = try program("jws open token --key ec.crt").output
        #expect(Array(piped.utf8) == Array("a\u{1B}[2Jb\u{202E}\r\n".utf8))
        // `script` gives the program a terminal.
        let command = "\(CardProgram.path) jws open token --key ec.crt"
        let shown = try shell("script -qec '\(command)' /dev/null").output
        #expect(shown.contains("b") && !shown.contains("\u{1B}[2J") && !shown.contains("\u{202E}"))
    }

    @Test func `of the longest content are opened`() throws {
        let make = "head -c 1048576 /dev/zero | tr '\\0' a >long"
        #expect(try shell(make).exitCode == 0)
        #expect(try program("jws sign long --key ec.pem >token").exitCode == 0)
        #expect(
            try shell("'\(CardProgram.path)' jws open token --key ec.crt | cmp - long").exitCode
                == 0
        )
        #expect(
            try program("jwe seal long --key short.jwk --encryption A128GCM >token").exitCode == 0
        )
        #expect(try program("jwe open token --key short.jwk >opened").exitCode == 0)
        #expect(try shell("cmp opened long && echo a >>long").exitCode == 0)
        let refused = try program("jws sign long --key ec.pem")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("long is larger than 1 MiB"))
    }

    @Test func `have a chain of three certificates, in its order`() throws {
        let recipes = [
            "printf 'basicConstraints=critical,CA:TRUE\\nkeyUsage=keyCertSign\\n' >ca.cnf",
            "openssl req -new -key rsa.pem -subj /CN=middle -out middle.csr",
            "openssl x509 -req -in middle.csr -CA ec.crt -CAkey ec.pem -extfile ca.cnf -days 2 -out middle.crt",
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out leaf.pem",
            "openssl req -new -key leaf.pem -subj /CN=leaf -out leaf.csr",
            "openssl x509 -req -in leaf.csr -CA middle.crt -CAkey rsa.pem -days 2 -out leaf.crt",
            "cat leaf.crt middle.crt >chain.pem; cat middle.crt leaf.crt >reversed.pem",
            "for i in 1 2 3 4 5 6 7 8 9 10 11; do cat leaf.crt; done >many.pem",
        ]
        for recipe in recipes { try #require(try shell(recipe).exitCode == 0, "\(recipe)") }
        let sign = "jws sign text --key leaf.pem --certificates"
        #expect(try program("\(sign) chain.pem >token").exitCode == 0)
        #expect(try program("jws open token --anchor ec.crt").output == text)
        #expect(try program("\(sign) reversed.pem").errorOutput.contains("not for this key"))
        #expect(try program("\(sign) many.pem").errorOutput.contains("more than 10"))
        let several = try program("jws open token --anchor chain.pem")
        #expect(several.exitCode == 65)
        #expect(several.errorOutput.contains("--anchor has more than one certificate"))
        let stranger = try program("jws open token --anchor rsa.crt")
        #expect(stranger.errorOutput.contains("not an authentic token for this anchor"))
    }

    @Test(
        arguments: [
            "jwe seal text --key rsa.crt --encryption A128GCM --for X",
            "jwe seal text --key short.jwk --encryption A128GCM --for X",
            "jwe seal text --key ec.pub --encryption A128GCM --key-id 7",
            "jwe seal text --key ec.pub --encryption A128GCM --for ''",
            "jwe seal text --key short.jwk --encryption A128GCM --key-id ''",
            "jwe open text --key short.jwk --for X", "jwe open text --key rsa.pem --for X",
            "jws sign - --key -", "jwe open - --key -", "jws open - --anchor -",
        ]
    )
    func `are refused with an option that does not fit`(line: String) throws {
        let refused = try program(line)
        #expect(refused.exitCode == 64)
        #expect(refused.output.isEmpty)
    }

    @Test func `are refused with a key for another operation, or without a type`() throws {
        let change = #"jose fmt -j ec.jwk -j '["verify"]' -s key_ops -U -o verify.jwk"#
        #expect(try shell(change).exitCode == 0)
        let refused = try program("jws sign text --key verify.jwk")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("without another use, alg or key_ops"))
        for text in ["{}", "5", "[]", #"{"keys":[]}"#] {
            _ = try folder.write(text, to: "other")
            let other = try program("jws sign text --key other")
            #expect(other.errorOutput.contains("other is not a key of a known kind"))
        }
    }

    @Test(
        arguments: [
            ("pkcs8 -topk8 -in ec.pem -passout pass:secret", "key is encrypted", "decrypt it"),
            ("pkey -in ec.pem -traditional", "key is not in PKCS#8", "convert it"),
            ("pkey -in rsa.pem -traditional", "key is not in PKCS#8", "convert it"),
            ("genpkey -algorithm ED25519", "key is not a key of a known kind", "P-256"),
        ]
    )
    func `need a key in a form that the program reads`(
        command: String,
        problem: String,
        hint: String
    ) throws {
        #expect(try shell("openssl \(command) -out key").exitCode == 0)
        let refused = try program("jws sign text --key key")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains(problem) && refused.errorOutput.contains(hint))
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "jws open text --anchor bad", "jws open text --key bad",
            "jwe seal text --key bad --encryption A128GCM",
            "jws sign text --key ec.pem --certificates bad",
        ]
    )
    func `never ask for a password of a certificate`(_ line: String) throws {
        let header =
            "Proc-Type: 4,ENCRYPTED\\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\\n"
        #expect(try shell("sed '1a \(header)' ec.crt >bad").exitCode == 0)
        let words = ["sh", "-c", "cd \(folder.path) && \(CardProgram.path) \(line)"]
        let session = try TerminalSession(words)
        #expect(try session.end() == 65)
        #expect(!session.screen.contains("pass phrase"))
    }

    @Test func `have no chain with an unreadable certificate`() throws {
        #expect(try shell("{ cat ec.crt; sed 4d rsa.crt; } >bad.crt").exitCode == 0)
        let refused = try program("jws sign text --key ec.pem --certificates bad.crt")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("bad.crt has an unreadable certificate"))
    }

    @Test func `are made as JSON too`() throws {
        let signed = try program("jws sign text --key ec.pem --json").output
        #expect(signed.wholeMatch(of: /\{"token":"[\w.-]+"\}\n/) != nil)
        let sealed = try program("jwe seal text --key ec.pub --encryption A128GCM --json").output
        #expect(sealed.wholeMatch(of: /\{"token":"[\w.-]+"\}\n/) != nil)
    }

    @Test func `need locked memory`() throws {
        let run = try shell("ulimit -l 0; '\(CardProgram.path)' jwe open text --key ec.jwk")
        #expect(run.exitCode == 70)
    }
}
