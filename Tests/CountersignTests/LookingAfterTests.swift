import Foundation
import PrivateFiles
import ProgramTesting
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import CommandLineTool
@testable import countersign

extension `The built program` {
    @Suite struct `Account commands` {
        private let person: Person

        init() throws {
            person = try Person.activated()
        }

        @Test
        func `change-pin rejects a wrong old PIN, and a weak new PIN before it is typed again`()
            throws
        {
            let new = "840275"
            #expect(try person.run("change-pin", typing: "271906", new).exitCode == 1)
            let weak = try person.run("change-pin", typing: Person.pin, "111111")
            #expect(weak.exitCode == 1)
            #expect(weak.errorOutput.hasPrefix("countersign: the PIN repeats digits\nhint: choose"))
            let session = try person.onTerminal("change-pin")
            try session.wait(for: "old PIN: ", typing: "271906\n")
            try session.wait(for: "Choose a PIN of 6 to 12 digits.")
            try session.wait(for: "new PIN: ", typing: "111111\n")
            try session.wait(for: "The PIN repeats digits. Try again, or press Ctrl-C to leave.")
            #expect(!session.screen.contains("new PIN, again"))
            try session.wait(for: "new PIN: ", typing: new + "\n")
            try session.wait(for: "new PIN, again: ", typing: new + "\n")
            // The attempt without a terminal was the first.
            try session.wait(for: "The PIN is wrong. 3 attempts are left.")
            try session.wait(for: "old PIN: ", typing: Person.pin + "\n")
            #expect(try session.end() == 0)
            #expect(session.screen.hasSuffix("\r\nchanged bank/main/\(person.account)\r\n"))
            #expect(!session.screen.lowercased().contains("approv"))
            #expect(try person.run("login", typing: Person.pin).exitCode == 1)
            #expect(try person.run("login", typing: new).exitCode == 0)
        }

        @Test func `change-pin reports the accounts that keep the old PIN`() throws {
            let names = ["", "-2", "-3"].map { person.account + $0 }
            for name in names.dropFirst() {
                let backend = try person.bank.newAccount(name, at: "bank")
                let issued = try backend.post("/activations")
                let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
                #expect(try person.run("activate", id, typing: code, Person.pin).exitCode == 0)
                guard name == names[1] else { continue }
                try backend.revokeDevice(showing: try person.serviceToken())
            }
            let run = try person.run("change-pin", typing: Person.pin, "840275")
            #expect(run.exitCode == 77)
            #expect(
                run.output == """
                    changed bank/main/\(names[0])
                    bank/main/\(names[2]) still has the old PIN

                    """
            )
            let failure =
                "countersign: bank/main/\(names[1]) still has the old PIN: the bank no longer"
            #expect(run.errorOutput.hasPrefix(failure), "\(run.errorOutput)")
        }

        @Test func `a failed write does not hide the result of change-pin or remove`() throws {
            let (first, second) = (person.account, person.account + "-2")
            let backend = try person.bank.newAccount(second, at: "bank")
            let issued = try backend.post("/activations")
            let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
            #expect(try person.run("activate", id, typing: code, Person.pin).exitCode == 0)
            try backend.revokeDevice(showing: try person.serviceToken())
            func run(_ words: String) throws -> FinishedProcess {
                let program = BuiltProducts.path(of: "countersign")
                let pins = #"printf '%s\n' \#(Person.pin) 840275"#
                return try person.run("sh", ["-c", "\(pins) | \(program) \(words) >/dev/full"])
            }
            let change = try run("change-pin --pin-fd 0")
            let kept = "countersign: bank/main/\(second) still has the old PIN: the bank no longer"
            #expect(change.exitCode == 77)
            #expect(change.errorOutput.hasPrefix(kept), "\(change.errorOutput)")
            let printed = try run("remove bank/main/\(second) --yes")
            #expect(printed.exitCode == 74)
            let file = try #require(try person.vaultFile(of: first))
            try Data("CSV".utf8).write(to: URL(filePath: file))
            let removal = try run("remove \(URL(filePath: file).lastPathComponent) --yes")
            #expect(removal.exitCode == 65)
            let listed = "countersign: the account may still list this machine: "
            #expect(removal.errorOutput.hasPrefix(listed), "\(removal.errorOutput)")
        }

        @Test func `change-pin names an account whose PIN is unknown`() throws {
            let account = try #require(Account(enterprise: "bank", type: "main", id: "4711"))
            let lost = CommandFailure(AuthenticationError(.responseMissing))
            let failure = CommandFailure.pinUnknown(account, because: lost)
            #expect(failure.exitCode == .unknownResult)
            let event =
                "it is unknown whether bank/main/4711 has the old PIN or the new PIN: the bank's"
            #expect(failure.message.hasPrefix(event), "\(failure.message)")
            #expect(failure.hint == "run countersign change-pin again with the same two PINs")
        }

        @Test func `change-pin names an account that has neither PIN`() throws {
            let account = try #require(Account(enterprise: "bank", type: "main", id: "4711"))
            let wrong = AuthenticationError(refusal: .authenticationFailed(attemptsLeft: 4))
            let failure = CommandFailure.otherOldPIN(account, wrong)
            #expect(failure.exitCode == .refused)
            #expect(failure.message == "bank/main/4711 has another PIN (4 attempts left)")
            #expect(
                failure.hint?.hasSuffix("with the PIN of bank/main/4711 as the old PIN") == true
            )
        }

        @Test func `a folder in which other users can replace the vault is named`() throws {
            let open = person.home.path + "/shared"
            #expect(mkdir(open, 0o700) == 0 && chmod(open, 0o1777) == 0)
            #expect(mkdir(open + "/vault", 0o700) == 0)
            let event =
                "the data on this device cannot be read or written safely (other users can write "
                + "to the folder \(open)/, which holds the vault)\n"
            let hint = "hint: keep the vault in a folder that only you can write to\n"
            let run = try person.countersign("accounts", "--vault", open + "/vault")
            #expect(run.exitCode == 74)
            #expect(run.errorOutput == "countersign: \(event)\(hint)")
            let doctor = try person.countersign("doctor", "--vault", open + "/vault")
            #expect(doctor.output.contains(event + "  " + hint), "\(doctor)")
            let (id, code) = try person.newActivation()
            let new = ["activate", id, "--vault", open + "/new", "--pin-fd", "0"]
            let activation = try person.countersign(new, typing: [code, Person.pin])
            #expect(activation.errorOutput == "countersign: \(event)\(hint)")
        }

        @Test func `the cause of a vault failure has its own hint`() throws {
            let file = try person.home.write("", to: "file")
            let run = try person.countersign("accounts", "--vault", file)
            #expect(run.exitCode == 74)
            let hint = "\nhint: the vault must be a folder and not a link: check --vault\n"
            #expect(run.errorOutput.hasSuffix(hint), "\(run)")
            let readOnly = AuthenticationError(vault: .file(FileFailure(errorNumber: EROFS)))
            let failure = CommandFailure(readOnly)
            #expect(failure.message.hasSuffix("(the disk of the vault is read-only)"))
            #expect(failure.hint == "keep the vault on a disk that can be written")
            let full = CommandFailure(AuthenticationError(vault: .file(.full)))
            #expect(full.hint == "make room on its disk")
            let foreign = CommandFailure(AuthenticationError(vault: .file(.foreign)))
            #expect(foreign.hint?.hasPrefix("make room, update the app") == true)
        }

        @Test func `a vault file that other users can access is named`() throws {
            let file = try #require(try person.vaultFile(of: person.account))
            #expect(chmod(file, 0o644) == 0)
            let event =
                "the data on this device cannot be read or written safely (other users can access "
                + "\(file), or it is an executable file)\n"
            let doctor = try person.countersign("doctor")
            #expect(doctor.exitCode == 1)
            let finding = event + "  hint: run chmod 600 on it\n"
            #expect(doctor.output.contains(finding), "\(doctor.output)")
            let pending = try person.countersign("pending")
            #expect(pending.exitCode == 74)
            #expect(pending.errorOutput == "countersign: \(event)hint: run chmod 600 on it\n")
            let german = try person.countersign(["pending"], environment: ["LC_ALL": "de_DE.UTF-8"])
            let cause =
                "(andere Benutzer haben Zugriff auf \(file), oder die Datei ist ausführbar)\n"
            let hint = "Hinweis: führen Sie chmod 600 dafür aus\n"
            #expect(german.errorOutput.hasSuffix(cause + hint), "\(german.errorOutput)")
            #expect(chmod(file, 0o600) == 0)
            #expect(try person.countersign("accounts").exitCode == 0)
        }

        @Test func `reading again is the hint if the response to a read is lost`() throws {
            let account = try #require(Account(enterprise: "bank", type: "main", id: "4711"))
            let lost = AuthenticationError(.responseMissing)
            let hint = "try again in a few minutes"
            for error in [lost, AuthenticationError(.serverUnavailable)] {
                let failure = CommandFailure(ofReading: error)
                #expect(failure.exitCode == .serverUnavailable)
                #expect(failure.message == "the bank's service is not available at the moment")
                #expect(failure.hint == hint)
                #expect(CommandFailure(error).exitCode == .unknownResult)
            }
            let found = PendingTransactions(transactions: [], failures: [account: lost])
            #expect(found.commandFailures.map(\.hint) == [hint])
            #expect(CommandFailure(lost).hint == "check what is pending before you try again")
        }

        @Test func `the request is the hint if the result of its decision is unknown`() {
            for error in [
                AuthenticationError(.responseMissing), AuthenticationError(.serverUnavailable),
                AuthenticationError(.response, cause: ""),
            ] {
                let failure = CommandFailure(error, deciding: "68d0")
                #expect(failure.exitCode == .unknownResult)
                #expect(failure.hint == "check it with countersign show 68d0")
                let approval = CommandFailure(error, provesWrong: .pin, deciding: "68d0")
                #expect(approval == failure)
            }
            // Nothing was sent.
            let unsent = AuthenticationError(.connection, cause: "")
            #expect(CommandFailure(unsent, deciding: "68d0") == CommandFailure(unsent))
        }

        @Test func `an age has minutes from the first minute on`() throws {
            let now = UInt64(Date().timeIntervalSince1970)
            let ages = try [10, 386, 7_300, 100_000].map { seconds in
                passedTime(since: try #require(Timestamp(milliseconds: (now - seconds) * 1000)))
            }
            #expect(ages[0].hasSuffix(" s") && ages.dropFirst() == ["6 min", "121 min", "27 h"])
        }

        @Test func `change-pin refuses the old PIN as the new one, and sends nothing`() throws {
            let run = try person.run("change-pin", typing: Person.pin, Person.pin)
            #expect(run.exitCode == 1)
            let reason = "countersign: the new PIN is the same as the old PIN\nhint: choose another"
            #expect(run.errorOutput.hasPrefix(reason), "\(run.errorOutput)")
            // A wrong old PIN was not sent either.
            #expect(try person.run("change-pin", typing: "840275", "840275").exitCode == 1)
            let wrong = try person.run("login", typing: "271906")
            #expect(wrong.errorOutput.contains("(4 attempts left)"), "\(wrong.errorOutput)")
        }

        @Test func `change-pin reports an unknown result if Ctrl-C ends it while it sends`() throws
        {
            let network = try LoopbackSocket(.listening)
            let session = try person.onTerminal(
                ["change-pin"],
                environment: ["https_proxy": "http://127.0.0.1:\(network.port)", "no_proxy": ""]
            )
            try session.wait(for: "old PIN: ", typing: Person.pin + "\n")
            try session.wait(for: "new PIN: ", typing: "840275\n")
            try session.wait(for: "new PIN, again: ", typing: "840275\n")
            let connection = accept(network.descriptor.number, nil, nil)
            defer { close(connection) }
            try session.wait(for: "\r\n", typing: "\u{3}")
            try session.wait(for: "countersign: it is unknown whether the PIN was changed\r\n")
            try session.wait(for: "hint: run countersign change-pin again with the same two PINs")
            #expect(try session.end() == 130)
        }

        @Test func `notifications turns the bank's notifications on and off`() throws {
            for (setting, push) in [("on", "events"), ("off", "off")] {
                let run = try person.countersign("notifications", setting)
                #expect(run.output == "notifications are \(setting)\n")
                #expect(try person.backend.get("/devices").body.contains(#""push":"\#(push)""#))
            }
            #expect(try person.countersign("notifications", "loud").exitCode == 64)
        }

        @Test func `remove deletes an account on the device and at the bank after a confirmation`()
            throws
        {
            let account = "bank/main/\(person.account)"
            #expect(try person.countersign("remove", account).exitCode == 64)
            let session = try person.onTerminal("remove", account)
            try session.wait(for: "Remove \(account)? (yes/no) ", typing: "no\n")
            #expect(try session.end() == 1)
            #expect(try person.countersign("accounts").exitCode == 0)
            let run = try person.countersign("remove", account, "--yes")
            #expect(run.output == "removed \(account)\n")
            #expect(try person.countersign("accounts").exitCode == 66)
            #expect(try person.backend.get("/devices").body.contains(#""status":"revoked""#))
        }

        @Test func `remove creates no vault, and reports that there is no such account`() throws {
            for folder in ["/none/vault", "/none"] {
                let vault = person.home.path + folder
                let run = try person.countersign(
                    "remove",
                    "bank/main/4711",
                    "--yes",
                    "--vault",
                    vault
                )
                #expect(run.exitCode == 66)
                let event = "countersign: no such account is set up on this device\n"
                #expect(run.errorOutput.hasPrefix(event), "\(run.errorOutput)")
            }
            #expect(!FileManager.default.fileExists(atPath: person.home.path + "/none"))
        }

        @Test func `push shows the bank's request, and approves it at a terminal`() throws {
            let id = try person.newPayment()
            func payload(_ id: String) -> String {
                #"{"sa_transaction_id":"\#(id)","account_id":"\#(person.account)","#
                    + #""account_type":"main"}"#
            }
            let shown = try person.countersign("push", "-", typing: [payload(id)])
            #expect(shown.exitCode == 0)
            #expect(shown.output.hasPrefix("Transfer\n  Amount      47.11 EUR\n"))
            let session = try person.onTerminal(
                "push",
                try person.home.write(payload(id), to: "push")
            )
            try session.wait(for: "(yes/no) ", typing: "yes\n")
            try session.wait(for: "PIN: ", typing: Person.pin + "\n")
            #expect(try session.end() == 0)
            #expect(try person.state(of: id) == "approved")
        }

        @Test func `push reports malformed bytes, and a notification of an unknown request`() throws
        {
            let id = try person.newPayment()
            func names(_ id: String, _ account: String) -> String {
                #"{"sa_transaction_id":"\#(id)","account_id":"\#(account)","account_type":"main"}"#
            }
            let account = person.account
            let malformed = [
                "", "{}", "hello", String(names(id, account).dropLast()),
                names(id, account) + "{}", names("a b", account),
                #"{"sa_transaction_id":"\#(id)","account_id":"\#(account)"}"#,
                names(id, account) + String(repeating: " ", count: 5000),
            ]
            for text in malformed {
                let run = try person.countersign("push", "-", typing: [text])
                #expect(run.exitCode == 65, "\(text)")
                #expect(run.errorOutput.contains(": the notification cannot be read, so"), "\(run)")
                #expect(run.output.isEmpty)
            }
            for text in [names(id + "0", account), names(id, account + "0")] {
                let run = try person.countersign("push", "-", typing: [text])
                #expect(run.exitCode == 1, "\(text)")
                #expect(run.errorOutput.contains(": the notification does not match the bank's"))
                #expect(run.output.isEmpty)
            }
        }

        @Test(arguments: ErrorCode.allCases)
        func `every error code has a remedy`(_ code: ErrorCode) {
            #expect(CommandFailure(code).hint?.isEmpty == false)
        }

        @Test func `a limited rate has the time to wait as its remedy`() {
            var error = AuthenticationError(.rateLimited)
            error.retryAfter = .seconds(1)
            let failure = CommandFailure(error)
            #expect(failure.message == "there were too many requests in a short time")
            #expect(failure.hint == "wait 1 second, and try again")
        }

        @Test(arguments: [-86_400, 0, 86_400])
        func `the time until the end of a lock is by the bank's clock`(_ offset: Int) throws {
            let now = Int(Date.now.timeIntervalSince1970) + offset
            let end = try #require(Timestamp(milliseconds: UInt64(now + 1830) * 1000))
            var error = AuthenticationError(.credentialLocked)
            error.lock = .until(end)
            error.clockOffset = .seconds(offset)
            #expect(CommandFailure(error).message.hasSuffix(" (for 30 min)"))
            let account = try #require(Account(enterprise: "bank", type: "main", id: "4711"))
            let profile = Profile(
                account: account,
                pinPolicy: .default,
                authenticationTypes: [],
                pinLock: .until(end),
                isPINEnabled: true,
                needsPINChange: false,
                clockOffset: .seconds(offset)
            )
            let event = "bank/main/4711: the PIN is locked for 30 min"
            #expect(profile.findings.first?.event == event)
        }

        @Test func `doctor names each account that cannot be used`() throws {
            let (first, second) = (person.account, person.account + "-2")
            let backend = try person.bank.newAccount(second, at: "bank")
            let issued = try backend.post("/activations")
            let (id, code) = (try #require(issued["id"]), try #require(issued["code"]))
            #expect(try person.run("activate", id, typing: code, Person.pin).exitCode == 0)
            let vault = try #require(try person.vaultFile(of: second))
            var bytes = try Data(contentsOf: URL(filePath: vault))
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: URL(filePath: vault))
            let run = try person.countersign("doctor")
            #expect(run.exitCode == 1)
            #expect(run.output.contains("bank/main/\(first) is in order\n"), "\(run.output)")
            let finding = "bank/main/\(second): the file of this account is damaged\n  hint: set it"
            #expect(run.output.contains(finding), "\(run.output)")
            // Also without settings, for which it needs no server.
            try person.trust("{")
            #expect(try person.countersign("doctor").output.contains(finding))
            try person.trust(person.bank.settings)
            #expect(try person.countersign("accounts").output == "bank/main/\(first)\n")
            // Its file is removed; the bank cannot be notified.
            _ = try person.countersign("remove", "bank/main/\(second)", "--yes")
            #expect(!(try person.countersign("doctor").output.contains(second)))
        }

        @Test func `doctor names a damaged file without a name, and remove removes it`() throws {
            let vault = try #require(try person.vaultFile(of: person.account))
            try Data("CSV".utf8).write(to: URL(filePath: vault))
            let name = URL(filePath: vault).lastPathComponent
            let run = try person.countersign("doctor")
            #expect(run.output.contains("\(name): the file of an account is damaged\n"), "\(run)")
            // Causes of the library are in English.
            let german = ["LC_ALL": "de_DE.UTF-8"]
            let english = try person.countersign("accounts")
            let translated = try person.countersign(["accounts"], environment: german)
            #expect(english.errorOutput.contains(" (a damaged account)\n"), "\(english)")
            #expect(!translated.errorOutput.contains("("), "\(translated)")
            #expect(run.output.contains("remove the file: countersign remove \(name)\n"), "\(run)")
            let removal = try person.countersign("remove", name, "--yes")
            #expect(removal.output == "removed \(name)\n")
            #expect(removal.exitCode == 65)
            #expect(!(try person.countersign("doctor").output.contains(name)))
            let again = try person.countersign("remove", name, "--yes")
            #expect(again.exitCode == 66)
            #expect(again.output.isEmpty)
        }

        @Test func `an untrusted server gets nothing, and the message states it`() throws {
            let certificates = try Certificates.shared.get()
            let (trusted, other) = (
                certificates.path(.authority), certificates.path(.otherAuthority)
            )
            try person.trust(person.bank.settings.replacing(trusted, with: other))
            let run = try person.countersign("pending")
            #expect(run.exitCode == 76)
            let message = "countersign: the bank's server is not trusted, so nothing was sent (its"
            #expect(run.errorOutput.hasPrefix(message), "\(run)")
            #expect(run.errorOutput.contains("\nhint: try another network"), "\(run)")
        }

        @Test func `doctor reports wrong settings as a finding, and checks the rest`() throws {
            try person.trust("{")
            let json = try person.countersign("doctor", "--json")
            #expect(json.exitCode == 1)
            let path = "\(person.home.path)/.config/countersign/countersign.json"
            let finding =
                #"{"healthy":[],"findings":[{"code":"settingsUnusable","event":"\#(path): line 1: "#
                + #"the document ends too early","remedy":"countersign help activate shows an "#
                + #"example of this file"}"#
            #expect(json.output.hasPrefix(finding), "\(json.output)")
            #expect(json.output.contains(#"{"code":"runsAsRoot""#) == (geteuid() == 0))
            #expect(!json.output.contains(person.account))
            let empty = try person.countersign("doctor", "--vault", person.home.path + "/none")
            #expect(empty.output.contains("no such account is set up on this device\n  hint: "))
            #expect(chmod(path, 0o666) == 0)
            let open = try person.countersign("doctor")
            #expect(open.exitCode == 1)
            #expect(open.output.hasPrefix("other users can change \(path)\n"), "\(open.output)")
        }

        @Test func `doctor reports problems with remedies`() throws {
            let account = "bank/main/\(person.account)"
            let well = try person.countersign("doctor")
            #expect(well.output.contains("\(account) is in order\n"))
            let inJSON = try person.countersign("doctor", "--json")
            let shown = #"{"enterprise":"bank","type":"main","id":"\#(person.account)"}"#
            #expect(inJSON.output.hasPrefix(#"{"healthy":[\#(shown)],"findings":["#))
            #expect(inJSON.exitCode == well.exitCode)
            // There may be findings about the machine, and about nothing else.
            let isRoot = geteuid() == 0
            #expect(well.output.contains("this program runs as root\n  hint: ") == isRoot)
            try person.lock()
            let locked = try person.countersign("doctor")
            #expect(locked.exitCode == 1)
            #expect(locked.output.contains("\(account): the PIN is locked for "))
            #expect(!locked.output.contains("in order"))
            let json = try person.countersign("doctor", "--json").output
            #expect(json.hasPrefix(#"{"healthy":[],"findings":["#))
            #expect(
                json.contains(
                    #"{"code":"pinLocked","account":{"enterprise":"bank","type":"main","id":""#
                        + #"\#(person.account)"},"event":"\#(account): the PIN is locked for "#
                )
            )
            #expect(json.contains(#"{"code":"runsAsRoot","event":"this program"#) == isRoot)
            let empty = try person.countersign("doctor", "--vault", person.home.path + "/none")
            #expect(empty.exitCode == 1)
            #expect(empty.output.contains("no such account is set up on this device\n  hint: "))
            #expect(empty.output.contains("this program runs as root\n  hint: ") == isRoot)
            let open = person.home.path + "/open"
            #expect(mkdir(open, 0o700) == 0 && chmod(open, 0o777) == 0)
            let unsafe = try person.countersign("accounts", "--vault", open)
            #expect(unsafe.exitCode == 74)
            let event = "(other users can access the folder \(open))\nhint: run chmod 700 on it\n"
            #expect(unsafe.errorOutput.hasSuffix(event), "\(unsafe)")
            let elsewhere = ["no_proxy": "", "https_proxy": "http://127.0.0.1:1"]
            let alone = try person.countersign(["doctor"], environment: elsewhere)
            #expect(alone.exitCode == 1)
            let finding = "cannot connect to the bank\n  hint: check the network"
            #expect(alone.output.contains(finding))
        }
    }
}

extension Person {
    /// The file of an account in the vault.
    fileprivate func vaultFile(of id: String) throws -> String? {
        let name = Array(id.utf8)
        let files = FileManager.default.enumerator(atPath: home.path)
        while let file = files?.nextObject() as? String {
            let path = home.path + "/" + file
            guard file.contains("/account-") || file.hasPrefix("account-") else { continue }
            if try Data(contentsOf: URL(filePath: path)).range(of: Data(name)) != nil {
                return path
            }
        }
        return nil
    }
}
