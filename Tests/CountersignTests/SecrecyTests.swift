import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `PIN and activation code` {
        /// Too long to occur by chance.
        private static let pin = "630281947305"
        private static let wrongPIN = "630281947306"

        /// The forms in which python3 writes bytes.
        private static let forms = """
            import base64, binascii, sys, urllib.parse
            secret = bytes.fromhex(sys.argv[1])
            print({
                "raw": lambda: "", "reversed": lambda: "",
                "hex": lambda: secret.hex(), "HEX": lambda: secret.hex().upper(),
                "base64": lambda: base64.b64encode(secret).decode(),
                "base64 after one": lambda: base64.b64encode(b":" + secret + b"more").decode(),
                "base64 after two": lambda: base64.b64encode(b"a:" + secret).decode(),
                "base64url": lambda: base64.urlsafe_b64encode(secret).decode(),
                "percent": lambda: urllib.parse.quote(secret, safe=""),
                "percent, all": lambda: "".join("%%%02x" % byte for byte in secret),
                "PERCENT, all": lambda: "".join("%%%02X" % byte for byte in secret),
            }[sys.argv[2]]())
            if sys.argv[2] in ("raw", "reversed"):
                sys.stdout.flush()
                sys.stdout.buffer.write(secret[::-1] if sys.argv[2] == "reversed" else secret)
            """

        @Test(arguments: [
            "raw", "reversed", "hex", "HEX", "base64", "base64 after one", "base64 after two",
            "base64url", "percent", "percent, all", "PERCENT, all",
        ])
        func `SEC-69: the search finds them in every form`(
            _ form: String
        ) throws {
            // Digits, and bytes that the two base64 alphabets write differently.
            for bytes in [Array(Self.pin.utf8), (0..<32).map { UInt8(255 - $0 * 7) }] {
                var secrets = Secrets()
                secrets.add("secret", bytes)
                let digits = bytes.map { String(format: "%02x", $0) }.joined()
                let file = try TemporaryFolder()
                _ = try FinishedProcess.run(
                    "sh",
                    ["-c", #"python3 -c "$1" "$2" "$3" >"$4""#]
                        + ["sh", Self.forms, digits, form, file.path + "/written"]
                )
                let path = URL(filePath: file.path + "/written")
                let written = Data("before ".utf8) + (try Data(contentsOf: path))
                #expect(secrets.found(in: written) == ["secret"])
                #expect(secrets.found(in: written.dropLast(written.count / 2)) == [])
            }
        }

        @Test func `SEC-27, SEC-69: are in no file, log or output in any form`() throws {
            let person = try Person()
            let (id, code) = try person.newActivation()
            var printed: [FinishedProcess] = []
            func run(_ words: String..., typing lines: [String]) throws {
                printed.append(try person.countersign(words + ["--pin-fd", "0"], typing: lines))
            }
            try run("activate", id, typing: [code, Self.pin])
            let payment = try person.newPayment()
            try run("approve", payment, "--yes", typing: [Self.wrongPIN])
            try run("approve", payment, "--yes", typing: [Self.pin])
            #expect(printed.map(\.exitCode) == [0, 1, 0])
            var secrets = Secrets()
            for text in [Self.pin, Self.wrongPIN, code, code.replacing("-", with: "")] {
                secrets.add(text, text)
            }
            for text in printed.flatMap({ [$0.output, $0.errorOutput] }) {
                #expect(secrets.found(in: text) == [])
            }
            let folders = [person.home.path, person.bank.premises.folder.path]
            func files(with texts: [String]) throws -> String {
                let patterns = texts.flatMap { ["-e", $0] }
                return try FinishedProcess.run("grep", ["-rlaiF"] + patterns + folders).output
            }
            #expect(try files(with: secrets.texts) == "")
            // The search works: both places contain a public value.
            let known = try files(with: [person.account])
            for folder in folders { #expect(known.contains(folder)) }
        }

        @Test func `SEC-26: are not read if memory cannot be locked`()
            throws
        {
            let person = try Person.activated()
            let id = try person.newPayment()
            let program = BuiltProducts.path(of: "countersign")
            let run = try FinishedProcess.run(
                "sh",
                ["-c", "ulimit -l 16 && exec \(program) approve \(id) --yes --pin-fd 0"],
                input: Array("\(Person.pin)\n".utf8),
                environment: ["HOME": person.home.path]
            )
            #expect(run.exitCode != 0)
            #expect(try person.state(of: id) == "pending")
        }
    }
}

extension `The built program` {
    /// All secrets, over the whole life of a verifier with the most detailed log.
    @Suite struct `Every secret of a verifier` {
        private static let webhookSecret = (0..<32).map { UInt8(7 * $0 + 19) }
        private static let tokenSeed = (0..<20).map { UInt8(251 - 11 * $0) }
        private static let (pin, wrongPIN) = ("630281947305", "630281947306")
        private static let newPIN = "518273940618"

        private let bank: Bank
        private let person: Person
        private var secrets = Secrets()
        /// The output of all commands, except the requested codes.
        private var printed = ""

        init() throws {
            bank = try Bank(["COUNTERSIGND_LOG_LEVEL": "debug"]) { premises in
                try Self.addWebhook(premises)
                try Self.addToken(premises)
            }
            person = try Person(of: bank)
            try addSecretsOfVerifier()
        }

        /// No server listens at its address, which causes more log lines.
        private static func addWebhook(_ premises: Premises) throws {
            let text = "whsec_" + Data(webhookSecret).base64EncodedString()
            try premises.write(text + "\n", to: "keys/webhook")
            let configuration = try premises.contents("countersignd.json")
            let webhook = """
                "webhooks": [{"enterprise": "bank", "events": "accounts", "secrets": ["keys/webhook"],
                "url": "http://127.0.0.1:\(try freePort())/told"}],
                """
            try premises.write(
                String(decoding: configuration, as: UTF8.self)
                    .replacing("\"push\": {", with: webhook + "\"push\": {"),
                to: "countersignd.json"
            )
        }

        private static func addToken(_ premises: Premises) throws {
            try premises.write(#"{"minimumTokenDigits": 6}"#, to: "policy.json")
            let digits = tokenSeed.map { String(format: "%02x", $0) }.joined()
            try premises.write(
                "enterprise,account_type,account_id,token_serial,token_secret_hex\n"
                    + "bank,main,4711,A-1,\(digits)\n",
                to: "accounts.csv"
            )
            for words in [
                ["policy", "set", "bank", premises.path("policy.json")],
                ["load", premises.path("accounts.csv")],
            ] {
                let run = try premises.countersignd(words)
                try #require(run.exitCode == 0, "\(run.errorOutput)")
            }
        }

        private mutating func addSecretsOfVerifier() throws {
            let webhook = "whsec_" + Data(Self.webhookSecret).base64EncodedString()
            secrets.add("webhook secret", webhook)
            secrets.add("webhook secret", Self.webhookSecret)
            secrets.add("token's seed", Self.tokenSeed)
            let token = try #require(person.backend.header.split(separator: " ").last)
            secrets.add("bank's token", String(token))
            for name in ["encryption", "agreement", "response", "checkpoint"] {
                let file = try bank.premises.contents("keys/" + name)
                let text = String(decoding: file, as: UTF8.self)
                let digits = try #require(text.firstMatch(of: /[0-9a-f]{64}/)).0
                secrets.add(name, String(digits))
                secrets.add(name, digits.bytes)
            }
        }

        /// The output of the person's program, with typed PINs.
        private mutating func output(_ words: String..., typing lines: String...) throws -> String {
            let run = try person.countersign(words + ["--pin-fd", "0"], typing: lines)
            #expect(run.exitCode == 0, "\(run.errorOutput)")
            printed += run.errorOutput
            return String(run.output.dropLast())
        }

        private mutating func run(
            _ words: String...,
            typing lines: String...,
            exitCode: Int32 = 0
        ) throws {
            let run = try person.countersign(words + ["--pin-fd", "0"], typing: lines)
            #expect(run.exitCode == exitCode, "\(run.errorOutput)")
            printed += run.output + run.errorOutput
        }

        private mutating func countersignd(_ words: String...) throws {
            let run = try bank.premises.countersignd(words)
            #expect(run.exitCode == 0, "\(run.errorOutput)")
            printed += run.output + run.errorOutput
        }

        private mutating func live() throws {
            let (id, code) = try person.newActivation()
            secrets.add("activation code", code)
            secrets.add("activation code", code.replacing("-", with: ""))
            for (name, pin) in [("PIN", Self.pin), ("PIN", Self.wrongPIN), ("PIN", Self.newPIN)] {
                secrets.add(name, pin)
            }
            try run("activate", id, typing: code, Self.pin)
            let payment = try person.newPayment()
            try run("approve", payment, "--yes", typing: Self.wrongPIN, exitCode: 1)
            try run("approve", payment, "--yes", typing: Self.pin)
            #expect(try person.state(of: payment) == "approved")
            try typeCodes()
            let login = try output("login", "--sign", "c-17", typing: Self.pin)
            #expect(try person.backend.post("/logins/\(login)/redemption").status == 422)
            try run("change-pin", typing: Self.pin, Self.newPIN)
            try spinUntil { try bank.log().contains(#""message":"delivery failed""#) }
            try restore()
            let next = try person.newPayment()
            try run("approve", next, "--yes", typing: Self.newPIN)
            #expect(try person.state(of: next) == "approved")
            try mislead()
        }

        /// A correct code, and then the same code again, which is used.
        private mutating func typeCodes() throws {
            let code = try output("otp", typing: Self.pin)
            secrets.add("code", code)
            let device = try #require(try person.device())
            for status in [204, 409] {
                let response = try person.backend.post(
                    "/devices/\(device)/codes",
                    #"{"code":"\#(code)"}"#
                )
                #expect(response.status == status)
            }
        }

        private mutating func restore() throws {
            let premises = bank.premises
            try countersignd("backup", premises.path("monday.db"))
            var printed = ""
            try bank.restart {
                try premises.putBack("monday.db")
                let restored = try premises.countersignd("restore", "--yes")
                #expect(restored.exitCode == 0, "\(restored.errorOutput)")
                printed = restored.output + restored.errorOutput
            }
            self.printed += printed
        }

        /// Types secrets in the wrong places.
        private func mislead() throws {
            let backend = person.backend
            #expect(try backend.get("/transactions/\(Self.pin)").status == 404)
            #expect(try backend.get("/transactions?\(Self.pin)=1").status == 400)
            let wrong = #"{"\#(Self.pin)":"\#(Self.newPIN)"}"#
            #expect(try backend.post("/transactions", wrong).status == 422)
            let url = bank.origin + "/bank/v1/enterprises/bank"
            #expect(try Fetched(url, "-H", "Authorization: Bearer \(Self.pin)").status == 401)
            #expect(try Fetched(url, "-H", "\(Self.pin): \(Self.pin)").status == 401)
            #expect(try Fetched(bank.origin + "/%36\(Self.pin)").status == 404)
        }

        @Test(.timeLimit(.minutes(5)))
        func `SEC-69: is in no log line, metric or error`() throws {
            var life = self
            try life.live()
            let log = try bank.log()
            let operation = try #require(log.matches(of: /"operation":\["([^"]+)"/).last).1
            _ = try Fetched("http://\(operation)/health/ready")
            let metrics = try Fetched("http://\(operation)/metrics").body
            let later = try bank.log()
            // The log is at its most detailed level, and contains both lives.
            #expect(later.contains(#""level":"debug""#))
            #expect(later.matches(of: /"message":"listening"/).count == 2)
            #expect(later.contains("POST /device/v1/rekey"))
            #expect(metrics.contains("POST /device/v1/decision"))
            #expect(life.secrets.found(in: later) == [])
            #expect(life.secrets.found(in: metrics) == [])
            #expect(life.secrets.found(in: life.printed) == [])
            #expect(!life.printed.isEmpty)
        }

        @Test(.enabled("only root can read them") { geteuid() == 0 })
        func `SEC-27, SEC-69: is in no argument or environment variable of the verifier`() throws {
            let shown = try bank.shown()
            #expect(shown.range(of: Data("COUNTERSIGND_LOG_LEVEL=debug".utf8)) != nil)
            #expect(secrets.found(in: shown) == [])
        }
    }
}

extension Substring {
    /// The bytes of hexadecimal digits.
    fileprivate var bytes: [UInt8] {
        let digits = Array(self)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }
    }
}
