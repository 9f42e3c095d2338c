import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import CommandLineTool
@testable import countersign

extension `The built program` {
    @Suite struct `countersign activate` {
        private let person: Person

        init() throws {
            person = try Person()
        }

        @Test func `sets up an account by id, code and PIN, and accounts shows it`() throws {
            let (id, code) = try person.newActivation()
            let run = try person.run("activate", id, typing: code, Person.pin)
            #expect(run.exitCode == 0, "\(run.errorOutput)")
            #expect(run.output == "activated bank/main/\(person.account)\n")
            #expect(try person.countersign("accounts").output == "bank/main/\(person.account)\n")
            let json = try person.countersign("accounts", "--json").output
            let account = #"{"enterprise":"bank","type":"main","id":"\#(person.account)"}"#
            #expect(json == #"{"accounts":[\#(account)]}"# + "\n")
        }

        @Test func `accepts a QR code text, and checks a new PIN before it is typed again`() throws
        {
            let issued = try person.backend.post("/activations")
            let session = try person.onTerminal("activate", columns: 80)
            try session.wait(for: "QR code text: ", typing: try #require(issued["uri"]) + "\n")
            let code = try #require(issued["code"])
            try session.wait(for: "The bank's server is \(person.bank.origin).\r\n")
            try session.wait(for: "The fingerprint of its key is \(try fingerprint).\r\n")
            try session.wait(for: "Type the code only if your bank published the same fingerprint.")
            try session.wait(for: "activation code: ", typing: "WRONG\n")
            try session.wait(for: "The activation code has a typing error. Try again")
            try session.wait(for: "code: ", typing: code + "x\u{7F}\r")
            let account = "bank/main/\(person.account)"
            try session.wait(for: "The bank set up this account for you: \(account).\r\n")
            try session.wait(for: "Choose a PIN of 6 to 12 digits. Repeated digits, sequences, ")
            try session.wait(for: "dates and the most\r\n  common PINs are refused.\r\n")
            try session.wait(for: "new PIN: ", typing: "271906\n")
            try session.wait(for: "again: ", typing: "271905\n")
            try session.wait(for: "The two PINs are different. Try again, or press Ctrl-C")
            // The policy applies to the first input: no "again" follows.
            try session.wait(for: "new PIN: ", typing: "123456\n")
            try session.wait(for: "The digits of the PIN are a sequence. Try again")
            #expect(session.screen.matches(of: /new PIN, again/).count == 1)
            try session.wait(for: "new PIN: ", typing: "99\u{15}\(Person.pin)\n")
            try session.wait(for: "again: ", typing: "\(Person.pin)\n")
            #expect(try session.end() == 0)
            #expect(session.screen.hasSuffix("activated \(account)\r\n"))
            for secret in [code, Person.pin, "271906", "123456"] {
                #expect(!session.screen.contains(secret))
            }
        }

        @Test(arguments: [("yes", Int32(0)), ("no", 1)])
        func `confirms the fingerprint before a scanned code is used`(
            _ response: String,
            _ exitCode: Int32
        ) throws {
            let issued = try person.backend.post("/activations")
            let uri = try #require(issued["uri"]) + "&code=" + (try #require(issued["code"]))
            let session = try person.onTerminal("activate")
            try session.wait(for: "QR code text: ", typing: uri + "\n")
            try session.wait(for: "The fingerprint of its key is \(try fingerprint).\r\n")
            let question = "Did your bank publish this fingerprint? (yes/no) "
            try session.wait(for: question, typing: response + "\n")
            if exitCode == 0 {
                try session.wait(for: "new PIN: ", typing: "\(Person.pin)\n")
                try session.wait(for: "again: ", typing: "\(Person.pin)\n")
            } else {
                try session.wait(for: "countersign: nothing was activated")
            }
            #expect(try session.end() == exitCode)
            #expect(!session.screen.contains("Type the code only"))
        }

        @Test func `names an account that has its maximum number of devices`() throws {
            let premises = person.bank.premises
            try premises.write(#"{"devicesPerAccount": 1}"#, to: "single.json")
            let path = premises.path("single.json")
            let set = try premises.countersignd("policy", "set", "single", path, "--new")
            try #require(set.exitCode == 0, "\(set.errorOutput)")
            let person = try Person.activated(at: "single")
            let (id, code) = try person.newActivation()
            let vault = person.home.path + "/second"
            let run = try person.run("activate", id, "--vault", vault, typing: code, Person.pin)
            #expect(run.exitCode == 1)
            let message =
                "single/main/\(person.account) is not activated: it has the maximum number"
            #expect(run.errorOutput.hasPrefix("countersign: \(message)"), "\(run)")
        }

        @Test func `names each account that is not activated`() throws {
            let enrolments = try [
                ("4711", EnrolmentOutcome.tooManyDevices), ("4712", .enrolled),
                ("4713", .accountReplaced),
            ].map { id, outcome in
                let account = try #require(Account(enterprise: "bank", type: "main", id: id))
                return Enrolment(account, outcome)
            }
            let pipe = Pipe.closedOnExec()
            let terminal = Terminal(
                output: Output { _ in },
                messages: Output(to: pipe.fileHandleForWriting.fileDescriptor, named: "pipe")
            )
            let failure = #expect(throws: CommandFailure.self) {
                try enrolments.reportFailures(on: terminal)
            }
            try pipe.fileHandleForWriting.close()
            let messages = try pipe.fileHandleForReading.readToEnd() ?? Data()
            #expect(
                String(decoding: messages, as: UTF8.self)
                    == "bank/main/4711 is not activated: it has the maximum number of devices\n"
            )
            let last = "bank/main/4713 is not activated: another account replaced it"
            #expect(failure?.message == last)
        }

        @Test func `protects a second account with the existing PIN only`()
            throws
        {
            let person = try Person.activated()
            let second = person.account + "-2"
            let backend = try person.bank.newAccount(second, at: "bank")
            func issue() throws -> (String, String) {
                let issued = try backend.post("/activations")
                return (try #require(issued["id"]), try #require(issued["code"]))
            }
            let (id, code) = try issue()
            #expect(try person.run("activate", id, typing: code, "840275").exitCode == 1)
            let session = try person.onTerminal("activate", id)
            try session.wait(for: "activation code: ", typing: code + "\n")
            let name = "PIN of bank/main/\(person.account): "
            try session.wait(for: name, typing: "999999\n")
            try session.wait(
                for: "This cannot be the PIN of bank/main/\(person.account). Try again,"
            )
            try session.wait(for: name, typing: "840275\n")
            // The attempt without a terminal was the first.
            try session.wait(for: "The PIN is wrong. 3 attempts are left.")
            try session.wait(for: name, typing: Person.pin + "\n")
            #expect(try session.end() == 0)
            let accounts = try person.countersign("accounts").output
            #expect(accounts == "bank/main/\(person.account)\nbank/main/\(second)\n")
        }

        @Test func `names change-pin if the bank of a second account requires more digits`() throws
        {
            let bank = try Bank { premises in
                try premises.write(#"{"pin": {"minimumDigits": 8}}"#, to: "policy.json")
                let path = premises.path("policy.json")
                let set = try premises.countersignd("policy", "set", "strict", path, "--new")
                #expect(set.exitCode == 0, "\(set.errorOutput)")
            }
            let person = try Person.activated(of: bank)
            let second = person.account + "-2"
            let issued = try bank.newAccount(second, at: "strict").post("/activations")
            let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
            let refused = try person.run("activate", id, typing: code, Person.pin)
            #expect(refused.exitCode == 1)
            #expect(
                refused.errorOutput == """
                    countersign: the bank requires a PIN of 8 to 12 digits: change any other PIN \
                    with countersign change-pin first
                    hint: then repeat the activation

                    """
            )
            let session = try person.onTerminal("activate", id)
            try session.wait(for: "activation code: ", typing: code + "\n")
            let name = "PIN of bank/main/\(person.account): "
            try session.wait(for: name, typing: Person.pin + "\n")
            try session.wait(for: "The bank requires a PIN of 8 to 12 digits: change any other PIN")
            try session.wait(for: name, typing: "\u{3}")
            #expect(try session.end() == 130)
            let new = "84027519"
            #expect(try person.run("change-pin", typing: Person.pin, new).exitCode == 0)
            let activated = try person.run("activate", id, typing: code, new)
            #expect(activated.exitCode == 0, "\(activated.errorOutput)")
        }

        @Test func `reports an account that the bank revoked, and sets it up again`() throws {
            let person = try Person.activated()
            let account = "bank/main/\(person.account)"
            try person.backend.revokeDevice(showing: try person.serviceToken())
            let (id, code) = try person.newActivation()
            let run = try person.run("activate", id, typing: code, "840275")
            #expect(run.exitCode == 0, "\(run.errorOutput)")
            #expect(
                run.errorOutput.filter { $0 != "\n" }
                    .contains("This device can no longer approve for \(account)."),
                "\(run.errorOutput)"
            )
            #expect(run.output == "activated \(account)\n")
            let payment = try person.newPayment()
            let approved = try person.run("approve", payment, "--yes", typing: "840275")
            #expect(approved.exitCode == 0, "\(approved.errorOutput)")
        }

        @Test func `prints the accounts in JSON`() throws {
            let (id, code) = try person.newActivation()
            let run = try person.run("activate", id, "--json", typing: code, Person.pin)
            #expect(run.exitCode == 0, "\(run.errorOutput)")
            let account = #"{"enterprise":"bank","type":"main","id":"\#(person.account)"}"#
            #expect(
                run.output == #"{"enrolments":[{"account":\#(account),"outcome":"enrolled"}]}"#
                    + "\n"
            )
        }

        /// As `countersignd init` prints it for people to compare.
        private var fingerprint: String {
            get throws {
                let printed = try person.bank.premises.countersignd("init").output
                let found = printed.firstMatch(of: /people to compare:\n    ([0-9a-f]{32})\n/)
                return String(try #require(found).1)
            }
        }

        @Test func `does not call a wrong activation id a wrong code`() throws {
            let (id, code) = try person.newActivation()
            let malformed = try person.run("activate", String(id.dropLast()), typing: code)
            #expect(malformed.exitCode == 65)
            let form = "countersign: this is not an activation id and not the text of a QR code\n"
            #expect(malformed.errorOutput.hasPrefix(form))
            let damaged = try person.run("activate", "countersign-activation:1?server=x")
            #expect(damaged.exitCode == 65)
            let reason = "countersign: the text of the QR code is damaged or incomplete\n"
            #expect(damaged.errorOutput.hasPrefix(reason))
            let unknown = try person.run("activate", "0000000000", typing: code)
            #expect(unknown.errorOutput.hasPrefix(Self.refusal))
            let mistyped = try person.run("activate", id, typing: code + "0")
            #expect(
                mistyped.errorOutput.hasPrefix(
                    "countersign: the activation code has a typing error\n"
                )
            )
        }

        @Test func `names the browser as the place for the link of a browser`() throws {
            let link = "https://approve.bank.example/approve/#activation=8QK3M5TX0B"
            let given = try person.run("activate", link)
            // A link with the code can only be typed.
            let typed = try person.run(
                "activate",
                typing: link + "&code=01234-56789-ABCDE-FGHJK"
            )
            for run in [given, typed] {
                #expect(run.exitCode == 65)
                let lines = run.errorOutput.split(separator: "\n")
                #expect(
                    lines == [
                        "countersign: this link is for a web browser, not for this program",
                        "hint: open it in a browser, or ask your bank for an activation of this "
                            + "program",
                    ]
                )
            }
            let other = try person.run("activate", "https://approve.bank.example/approve/")
            #expect(other.errorOutput.hasPrefix("countersign: this is not an activation id and"))
        }

        private static let refusal = """
            countersign: the bank does not accept this activation id with this code
            hint: check both, or ask the bank for a new activation

            """

        @Test func `exits with 1 for a wrong code, and leaves no account`() throws {
            let (id, _) = try person.newActivation()
            let (_, other) = try person.newActivation()
            let run = try person.run("activate", id, typing: other, Person.pin)
            #expect(run.exitCode == 1)
            #expect(run.errorOutput == Self.refusal)
            #expect(try person.countersign("accounts").exitCode == 66)
        }

        @Test func `SEC-27: an argument with a code is rejected and not quoted`() throws {
            let text = "countersign-activation:1?server=https://a&key=b&activation=c&code=SECRET"
            let run = try person.countersign("activate", text, "--pin-fd", "0")
            #expect(run.exitCode == 64)
            #expect(!run.errorOutput.contains("SECRET"))
            let bare = try person.countersign("activate", "SFG96-AFD9M-JE7VK-AQZNN")
            #expect(bare.exitCode == 64)
            #expect(bare.errorOutput == run.errorOutput)
            let pin = try person.countersign("activate", "--pin=271905", "--pin-fd", "0")
            #expect(pin.exitCode == 64)
            #expect(pin.errorOutput.hasPrefix("countersign: unknown option --pin\n"))
            #expect(!pin.errorOutput.contains("271905"))
        }

        @Test func `needs a terminal or --pin-fd, and a trusted server`() throws {
            let run = try person.countersign("activate", "0123456789")
            #expect(run.exitCode == 64)
            #expect(run.errorOutput.contains("hint: use --pin-fd\n"))
            let bare = try person.countersign("activate")
            #expect(bare.exitCode == 64)
            let hint =
                "hint: give ACTIVATION as an argument, and the code and the PIN with --pin-fd\n"
            #expect(bare.errorOutput.hasSuffix(hint), "\(bare.errorOutput)")
            #expect(try person.countersign("activate", "x", "--pin-fd", "9").exitCode == 64)
            try person.trust("{}")
            let untrusting = try person.countersign("activate", "0123456789", "--pin-fd", "0")
            #expect(untrusting.exitCode == 66)
            #expect(
                untrusting.errorOutput.hasPrefix("countersign: this server is not trusted yet\n")
            )
        }

        @Test(arguments: [
            ("{", "line 1: the document ends too early"),
            (#"{"servers": [], "severs": []}"#, "the member severs is unknown"),
            (
                #"{"servers": [{"origin": "http://bank.example", "agreementKey": "", "signingKey": ""}]}"#,
                "the origin, a key or the pins of a server are not valid"
            ),
        ])
        func `reports an error in the settings`(_ settings: String, reason: String) throws {
            try person.trust(settings)
            let run = try person.countersign("pending")
            #expect(run.exitCode == 65)
            #expect(run.errorOutput.contains("countersign.json: \(reason)\n"))
        }

        @Test func `rejects settings that other users can change`() throws {
            let path = "\(person.home.path)/.config/countersign/countersign.json"
            try #require(chmod(path, 0o666) == 0)
            #expect(try person.countersign("pending").exitCode == 77)
        }
    }
}
