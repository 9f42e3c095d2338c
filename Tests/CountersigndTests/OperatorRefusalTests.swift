import Foundation
import ProgramTesting
import TestSupport
import Testing

private let account = OperatedVerifier.account

@Suite struct `Refused commands` {
    @Test(
        arguments: [
            (["account", "show", "bank/main"], "ACCOUNT must be ENTERPRISE/TYPE/ID"),
            (
                ["account", "add", "bank/main/Müller"],
                "TYPE/ID, each with 1 to 64 ASCII letters, digits, dots, underscores or hyphens"
            ),
            (["account", "show", "bank/main/../x"], "ACCOUNT must be"),
            (["account", "show", "bank/main/.."], "ACCOUNT must be"),
            (
                ["account", "link", account, "other/main/1"],
                "two different accounts of one enterprise"
            ),
            (["account", "link", account, account], "two different accounts of one enterprise"),
            (["activation", "show", account, "short"], "ACTIVATION must be the 10 characters"),
            (["revoke", account, "ff"], "DEVICE must be the 32 characters"),
            (["unlock", account, String(repeating: "0", count: 32), "pin"], "must be one of user"),
            (
                ["transaction", "list", account, "--limit", "0"],
                "--limit must be between 1 and 1000"
            ),
            (
                ["account", "show", account, "--token", "t"],
                "--token, --ca-certificates, --client-certificate and --confirms need --server"
            ),
            (
                ["account", "show", account, "--server", "https://x"],
                "--server and --config cannot be combined"
            ),
        ] as [([String], String)]
    )
    func `wrong arguments are rejected`(_ words: [String], _ message: String) throws {
        let premises = try Premises()
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 64, "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(refused.output == "")
    }

    @Test func `missing resources and malformed content are rejected`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        func refused(
            _ words: String...,
            exitCode: Int32,
            _ message: String
        ) throws {
            let run = try premises.countersignd(words)
            #expect(run.exitCode == exitCode, "\(words): \(run.errorOutput)")
            #expect(run.errorOutput.hasPrefix("countersignd: \(message)"), "\(run.errorOutput)")
            #expect(run.output == "")
        }
        try refused("account", "show", "bank/main/1", exitCode: 66, "this account does not exist\n")
        try refused(
            "account",
            "add",
            "other/main/1",
            exitCode: 66,
            "this enterprise does not exist"
        )
        let id = String(repeating: "0", count: 32)
        try refused(
            "transaction",
            "watch",
            account,
            id,
            exitCode: 66,
            "this transaction does not exist"
        )
        try refused("transaction", "list", account, exitCode: 2, "the account has no transactions")
        let file = premises.path("payment.json")
        try refused("transaction", "create", account, file, exitCode: 66, "cannot open")
        try premises.write(OperatedVerifier.payment, to: "payment.json")
        try refused(
            "transaction",
            "create",
            account,
            file,
            exitCode: 1,
            "the account has no active"
        )
        let wrong = OperatedVerifier.payment.replacing("EUR", with: "EURO")
        try premises.write(wrong, to: "payment.json")
        try refused(
            "transaction",
            "create",
            account,
            file,
            exitCode: 65,
            "the content breaks rules: amounts[0].currency: must be a current currency code of ISO 4217\n"
        )
        try premises.write("{", to: "payment.json")
        try refused(
            "transaction",
            "create",
            account,
            file,
            exitCode: 65,
            "the content is not valid"
        )

        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        try premises.write(
            text.replacing(/(?s)  "server": \{.*?\n  \},\n/, with: ""),
            to: "countersignd.json"
        )
        // Only an activation needs the origin.
        #expect(try premises.countersignd("account", "show", account).exitCode == 0)
        #expect(try premises.countersignd("outbox", "list").exitCode == 0)
        try refused(
            "activation",
            "create",
            account,
            exitCode: 65,
            "\(premises.configuration) has no member server.origin"
        )
    }

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `an unknown result names the idempotency key for a repetition`() throws {
        let premises = try Premises()
        let run = try SmallDisk.run(
            """
            cd "$1"
            mkdir -m 700 journal
            mount -t tmpfs -o size=64k,mode=700 tmpfs journal

            operate() { "$program" "$@" --config c.json; }
            program=$2

            operate init >/dev/null
            echo '{}' >policy.json
            operate policy set bank policy.json --new >/dev/null
            operate account add bank/main/4711

            dd if=/dev/zero of=journal/filler bs=1k 2>/dev/null || true

            # Each activation revokes the one before, and the journal must contain the revocation.
            # The last page of the journal has some free space.
            for key in k1 k2 k3 k4 k5 k6 k7 k8; do
                operate activation create bank/main/4711 --idempotency-key $key >/dev/null ||
                    { echo "ended with $? at $key"; break; }
            done

            operate activation list bank/main/4711 || true
            rm journal/filler
            operate activation create bank/main/4711 --idempotency-key $key | sed -n 2p

            operate activation list bank/main/4711 | wc -l
            operate audit verify
            """,
            premises.folder.path,
            BuiltProducts.path(of: "countersignd")
        )
        let ended = try #require(run.output.firstMatch(of: /ended with 74 at k(\d)\n/), "\(run)")
        let hint =
            "hint: repeat the command with --idempotency-key k\(ended.1): it has effect only once\n"
        #expect(run.errorOutput.contains(hint), "\(run.errorOutput)")
        // Only the first request has an effect.
        #expect(run.output.contains("State\topen\n\(ended.1)\nVerified: "), "\(run.output)")
    }

    @Test func `a token without the role is rejected over the network`() async throws {
        let verifier = try await OperatedVerifier(using: .server)
        let premises = verifier.premises
        func remote(
            _ words: [String],
            _ token: String,
            trusting authority: Certificates.Name = .authority,
            at origin: String? = nil
        ) throws -> FinishedProcess {
            try FinishedProcess.run(
                BuiltProducts.path(of: "countersignd"),
                words + [
                    "--server", origin ?? verifier.origin, "--token", premises.path(token),
                    "--ca-certificates", try Certificates.shared.get().path(authority),
                ]
            )
        }
        let show = ["account", "show", account]
        #expect(try remote(show, "core.token").exitCode == 0)
        let absent = try remote(["account", "show", "bank/main/1"], "core.token")
        #expect(
            absent.errorOutput.hasSuffix(
                "hint: a token of one enterprise cannot see other enterprises\n"
            )
        )
        // The role does not include this scope.
        let denied = try remote(["account", "add", "bank/main/4712"], "desk.token")
        #expect(denied.exitCode == 77)
        #expect(
            denied.errorOutput.contains(
                "the role of this token does not include the scope of this operation\n"
            )
        )
        // A revoked token, a malformed token, and a file that other users can read.
        #expect(try premises.countersignd("token", "revoke", "core", "--yes").exitCode == 0)
        let revoked = try remote(show, "core.token")
        #expect(revoked.exitCode == 77)
        #expect(revoked.errorOutput.contains("hint: countersignd token list shows"))
        let token = String(decoding: try premises.contents("desk.token"), as: UTF8.self)
        try premises.write(String(token.dropLast(2)), to: "cut.token")
        let cut = try remote(show, "cut.token")
        #expect(cut.exitCode == 65)
        #expect(cut.errorOutput.contains("cut.token does not contain a token\n"))
        try #require(chmod(premises.path("desk.token"), 0o644) == 0)
        #expect(try remote(show, "desk.token").exitCode == 77)
        try #require(chmod(premises.path("desk.token"), 0o600) == 0)
        #expect(try remote(show, "no.token").exitCode == 66)
        // The token is not sent to an untrusted server.
        #expect(try remote(show, "desk.token", trusting: .otherAuthority).exitCode == 76)
        let stranger = try TestServer(nil, ["--relay"])
        let address = "http://127.0.0.1:\(stranger.port)"
        for (response, exitCode, message) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 76, "this countersignd cannot read"),
            ("HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n{}", 76, "is not a verifier"),
            ("nothing of ours\r\n\r\n", 75, "hint: repeat the command with --idempotency-key k1: "),
        ] as [(String, Int32, String)] {
            try stranger.respond(with: Array(response.utf8))
            let words = ["activation", "create", account, "--idempotency-key", "k1"]
            let result = try remote(words, "desk.token", at: address)
            #expect(result.exitCode == exitCode, "\(result.errorOutput)")
            #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
        }
        #expect(verifier.running.stop() == 0)
        let alone = try remote(show, "desk.token")
        #expect(alone.exitCode == 69)
        #expect(alone.errorOutput.contains("cannot connect to \(verifier.origin)\n"))
    }
}
