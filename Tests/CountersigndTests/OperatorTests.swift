import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

private let account = OperatedVerifier.account

/// Commands for accounts and devices, in the store and over the network, with a real app.
@Suite struct `Commands of an operator` {
    @Test(.timeLimit(.minutes(5)), arguments: [OperatedVerifier.Way.store, .server])
    func `an operator activates a device, creates a transaction and sees the decision`(
        _ way: OperatedVerifier.Way
    ) async throws {
        let verifier = try await OperatedVerifier(using: way)
        #expect(try verifier.done("enterprise", "list") == "bank\n")
        #expect(
            try verifier.done("account", "add", "bank/main/4712")
                == "The account bank/main/4712 exists.\n"
        )
        #expect(
            try verifier.done("account", "link", account, "bank/main/4712")
                == "Linked \(account) and bank/main/4712.\n"
        )
        let activation = try verifier.resource("activation", "create", account)
        let (id, code) = (
            try #require(activation.text("id")), try #require(activation.text("code"))
        )
        let open = try verifier.done("activation", "show", account, id)
        #expect(open.hasPrefix("Activation\t\(id)\nState\topen\nCreated\t"))
        #expect(!open.contains(code))
        #expect(try verifier.done("activation", "code", account, id) == code + "\n")
        try await verifier.activate(id, code)
        #expect(try verifier.run("activation", "code", account, id).exitCode == 66)
        #expect(try verifier.done("activation", "list", account).hasPrefix("\(id)\tused\t"))
        #expect(try verifier.run("activation", "qr", account, id).exitCode == 66)

        // It gets the decision that the running verifier received.
        let first = try verifier.newTransaction()
        let watch = try verifier.onTerminal("transaction", "watch", account, first)
        try watch.wait(for: way == .store ? "countersignd: in the store" : "countersignd: at https")
        let shown = try #require(try await verifier.app.getTransaction())
        #expect(shown.id == first)
        try await verifier.app.authenticateUsingUserPIN(shown, pin: Premises.typedPIN())
        #expect(try watch.end() == 0)
        #expect(watch.screen.contains(/State +approved\r\n/))
        #expect(watch.screen.contains(/Amount +47.11 EUR\r\n/))
        #expect(watch.screen.contains(/Approved with +userPIN\r\n/))

        // Repeated with the same idempotency key, the request has effect once.
        let payment = verifier.premises.path("payment.json")
        let ids = try (0..<2).map { _ in
            try verifier.resource(
                "transaction",
                "create",
                account,
                payment,
                "--idempotency-key",
                "order-1"
            ).text("id")
        }
        let second = try #require(ids[0])
        #expect(ids[1] == second)
        let list = try verifier.resource("transaction", "list", account)
        #expect(list.count(of: "transactions") == 2)
        #expect(
            try verifier.done("transaction", "list", account, "--limit", "1")
                .hasPrefix("\(second)\tpending\t")
        )
        #expect(
            try verifier.done("transaction", "withdraw", account, second)
                == "Withdrew \(second).\n"
        )
        let ended = try verifier.run("transaction", "watch", account, second)
        #expect(ended.exitCode == 1)
        #expect(ended.output.contains("State\twithdrawn\n"))
        #expect(ended.errorOutput == "countersignd: the transaction was not approved: withdrawn\n")
        let late = try verifier.run("transaction", "withdraw", account, first)
        #expect(late.exitCode == 1)
        #expect(late.errorOutput == "countersignd: the transaction is already decided (approved)\n")
        #expect(
            try verifier.done("transaction", "show", account, first).contains("Evidence\tstored")
        )
        if way == .store { try compare(verifier, first, id) }

        // The trail contains the actor; no log contains a secret.
        let actor = way == .store ? "operator" : "token:core"
        let actors = "SELECT DISTINCT actor FROM audit WHERE kind = 'transaction.withdrawn'"
        #expect(try verifier.premises.sqlite3(actors) == actor)
        #expect(try verifier.premises.countersignd("audit", "verify").exitCode == 0)
        #expect(verifier.running.stop() == 0)
        let secrets = [code, code.replacing("-", with: ""), Premises.pin]
        let trail = try verifier.premises.countersignd("audit", "export").output
        let log = verifier.running.logLines.joined(separator: "\n").withoutRandomValues
        for secret in secrets {
            #expect(!log.contains(secret))
            // The digits of a PIN can be a part of a hash.
            #expect(try !trail.contains(Regex("\\b\(secret)\\b")))
        }
        // Without a running verifier, only the store can be used.
        let alone = try verifier.run("transaction", "create", account, payment)
        #expect(alone.exitCode == (way == .store ? 0 : 69), "\(alone.errorOutput)")
        guard way == .store else { return }
        let third = try #require(alone.output.firstMatch(of: /Transaction\t(\S+)\n/)).1
        let waits = try verifier.done("transaction", "list", account, "--limit", "1")
        #expect(waits.hasPrefix("\(third)\tpending\t"))
        _ = try verifier.done("transaction", "withdraw", account, String(third))
    }

    /// The JSON output equals the response that curl gets, byte for byte.
    private func compare(
        _ verifier: OperatedVerifier,
        _ transaction: String,
        _ activation: String
    ) throws {
        let backend = try Backend(verifier.premises, verifier.origin)
        for (path, words) in [
            ("/transactions/\(transaction)", ["transaction", "show", account, transaction]),
            ("/activations/\(activation)", ["activation", "show", account, activation]),
            ("/activations", ["activation", "list", account]),
        ] {
            let run = try verifier.premises.countersignd(words + ["--json"])
            let fetched = try backend.get(path)
            #expect(fetched.status == 200)
            #expect(run.output == fetched.body + "\n")
        }
        let page = try verifier.premises.countersignd("account", "show", account, "--json").output
        let (about, devices) = (try backend.get("").body, try backend.get("/devices").body)
        #expect(page == #"{"account":\#(about),"# + devices.dropFirst() + "\n")
    }

    @Test(.timeLimit(.minutes(5)), arguments: OperatedVerifier.Way.allCases)
    func `an operator unlocks, disables, synchronizes and revokes devices`(
        _ way: OperatedVerifier.Way
    ) async throws {
        let verifier = try await OperatedVerifier(using: way)
        let activation = try verifier.resource("activation", "create", account)
        let (id, code) = (
            try #require(activation.text("id")), try #require(activation.text("code"))
        )
        try await verifier.activate(id, code)
        let device = try #require(try verifier.device().device.text("id"))
        #expect(try verifier.device().credential.text("attemptsLeft") == "5")

        _ = try verifier.newTransaction()
        let pending = try #require(try await verifier.app.getTransaction())
        for _ in 0..<5 {
            await #expect(throws: AuthenticationError.self) {
                try await verifier.app.authenticateUsingUserPIN(
                    pending,
                    pin: OperatedVerifier.wrongPIN()
                )
            }
        }
        let locked = try verifier.device().credential
        #expect(locked["lock"]?.text("until") != nil)
        if way == .storeAlone { #expect(verifier.running.stop() == 0) }
        #expect(try verifier.done("account", "show", account).contains("\tlocked until 20"))
        _ = try verifier.done("unlock", account, device, "user")
        #expect(try verifier.device().credential["lock"] == nil)

        _ = try verifier.done("disable", account, device, "user")
        #expect(try verifier.device().credential.text("status") == "disabled")
        _ = try verifier.done("enable", account, device, "user")
        #expect(try verifier.device().credential.text("status") == "active")
        // As for a lost phone that is found again.
        #expect(
            try verifier.done("disable", account, device)
                == "All credentials of \(device) are disabled.\n"
        )
        #expect(try verifier.device().credential.text("status") == "disabled")
        _ = try verifier.done("enable", account, device)
        #expect(try verifier.device().credential.text("status") == "active")

        try await resynchronise(verifier, device, way)

        let revoked = try verifier.run("revoke", account, device)
        #expect(revoked.exitCode == 64)
        #expect(revoked.errorOutput.hasSuffix("hint: confirm with --yes\n"))
        #expect(try verifier.device().device.text("status") == "active")
        #expect(
            try verifier.done("revoke", account, device, "--yes") == "Revoked \(device).\n"
        )
        let payment = verifier.premises.path("payment.json")
        let refused = try verifier.run("transaction", "create", account, payment)
        #expect(refused.exitCode == 1)
        #expect(
            refused.errorOutput.contains(
                "hint: countersignd activation create starts one; add --web for a web browser\n"
            )
        )
        // A missing device cannot be revoked.
        let other = String(repeating: "0", count: 32)
        #expect(try verifier.run("revoke", account, other, "--yes").exitCode == 66)

        #expect(
            try verifier.done("account", "add", "bank/main/4712")
                == "The account bank/main/4712 exists.\n"
        )
        _ = try verifier.done("account", "replace", account, "bank/main/4712", "--yes")
        #expect(try verifier.done("account", "show", account).contains("Replaced by\tmain/4712"))
        let replaced = try verifier.run("activation", "create", account)
        #expect(replaced.exitCode == 1)
        #expect(replaced.errorOutput.contains("countersignd account show names the new account"))
        try addTestAccount(verifier)
    }

    private func addTestAccount(_ verifier: OperatedVerifier) throws {
        let test = "bank/main/sandbox"
        let forbidden = try verifier.run("account", "add", test, "--test")
        #expect(forbidden.exitCode == 1)
        #expect(
            forbidden.errorOutput == """
                countersignd: the policy of the enterprise does not allow test accounts
                hint: set allowsTestAccounts in the policy of an enterprise that is only for tests

                """
        )
        try verifier.premises.write(#"{"allowsTestAccounts": true}"#, to: "policy.json")
        let policy = verifier.premises.path("policy.json")
        #expect(try verifier.premises.countersignd("policy", "set", "bank", policy).exitCode == 0)
        let added = "The test account \(test) exists.\n"
        #expect(try verifier.done("account", "add", test, "--test") == added)
        #expect(try verifier.done("account", "add", test) == added)
        #expect(try verifier.done("account", "show", test).contains("\nTest\tyes\n"))
        let person = try verifier.run("account", "add", account, "--test")
        #expect(person.exitCode == 73)
        #expect(person.errorOutput.contains("account show"))
    }

    /// With codes from a terminal or a descriptor; first with wrong ones.
    private func resynchronise(
        _ verifier: OperatedVerifier,
        _ device: String,
        _ way: OperatedVerifier.Way
    ) async throws {
        let codes = [
            try await verifier.app.generateOTP(using: Premises.typedPIN()).text,
            try await verifier.app.generateOTP(using: Premises.typedPIN()).text,
        ]
        guard way == .store else {
            for (codes, exitCode) in [(codes.reversed(), 1), (codes, 0)] as [([String], Int32)] {
                try verifier.premises.write(codes.joined(separator: "\n") + "\n", to: "codes")
                let words = try verifier.words(["resync", account, device, "--codes-fd", "3"])
                let run = try FinishedProcess.run(
                    "sh",
                    ["-c", #"exec "$@" 3<"$0""#, verifier.premises.path("codes")]
                        + [BuiltProducts.path(of: "countersignd")] + words
                )
                #expect(run.exitCode == exitCode, "\(run.errorOutput)")
            }
            let unasked = try verifier.run("resync", account, device)
            #expect(unasked.exitCode == 64)
            #expect(unasked.errorOutput.contains("hint: pass both codes with --codes-fd"))
            return
        }
        let session = try verifier.onTerminal("resync", account, device)
        try session.wait(for: "The first code: ", typing: codes[0] + "\n")
        try session.wait(for: "The second code: ", typing: codes[1] + "\n")
        #expect(try session.end() == 0)
        #expect(session.screen.hasSuffix("Synchronized \(device).\r\n"))
        for code in codes { #expect(!session.screen.contains(code)) }
    }
}
