import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Certificates of openssl at a running verifier.
@Suite(.timeLimit(.minutes(5))) struct `The expiry of a certificate` {
    private let premises: Premises
    private let port: Int

    init() throws {
        premises = try Premises.initialized()
        port = try freePort()
        try premises.serve(at: port)
    }

    private var path: String { premises.path("tls.pem") }

    /// The end that openssl shows, as in RFC 3339.
    private func end(of name: Certificates.Name) throws -> String {
        let shown = try FinishedProcess.run(
            "openssl",
            [
                "x509", "-in", try Certificates.shared.get().path(name), "-noout", "-enddate",
                "-dateopt", "iso_8601",
            ]
        ).output
        let parts = try #require(shown.wholeMatch(of: /notAfter=(\S+) (\S+)Z\n/))
        return "\(parts.1)T\(parts.2).000Z"
    }

    private func get(_ path: String, of verifier: RunningVerifier) throws -> Fetched {
        try Fetched("http://127.0.0.1:\(verifier.operationPort)\(path)")
    }

    private func expectReady(_ body: String, _ verifier: RunningVerifier) throws {
        let response = try get("/health/ready", of: verifier)
        #expect(response.status == 200)
        #expect(response.body == body)
    }

    /// Rounded down.
    private func days(left verifier: RunningVerifier, of file: String) throws -> Int {
        let metrics = try get("/metrics", of: verifier).body
        let name = "countersign_certificate_expiry_seconds{file=\"\(file)\"} "
        let line = try #require(metrics.split(separator: "\n").first { $0.hasPrefix(name) })
        let seconds = try #require(Double(line.dropFirst(name.count)))
        return Int((seconds / 86_400).rounded(.down))
    }

    private func doctor(_ words: String...) throws -> FinishedProcess {
        let authorities = try Certificates.shared.get().path(.authority)
        return try premises.countersignd(["doctor", "--ca-certificates", authorities] + words)
    }

    @Test func `is only measured for more than 30 days`() throws {
        let verifier = try RunningVerifier(premises)
        try expectReady("ready\n", verifier)
        #expect(try days(left: verifier, of: path) == 89)
        let found = try doctor()
        #expect(found.exitCode == 0, "\(found.output)")
        #expect(found.output.contains("certificates: ok\n"))
        #expect(verifier.stop() == 0)
        #expect(!verifier.logLines.contains { $0.contains(#""message":"certificate"#) })
    }

    @Test(arguments: [
        (Certificates.Name.expiring, Certificates.Name.expiring, ""),
        (.expiringChain, .expiring, "certificate 2 in "),
    ])
    func `is a warning from 30 days before`(
        _ name: Certificates.Name,
        _ last: Certificates.Name,
        _ place: String
    ) throws {
        try premises.useCertificate(name)
        let verifier = try RunningVerifier(premises)
        let line = try verifier.wait(for: #""message":"certificate expires soon""#)
        #expect(line.contains(#""level":"error""#))
        let end = try end(of: last)
        #expect(line.hasSuffix(#","certificate":"\#(place)\#(path)","end":"\#(end)"}"#), "\(line)")
        let warning = "warning: \(place)\(path) expires at \(end)\n"
        try expectReady("ready\n" + warning, verifier)
        #expect(try days(left: verifier, of: path) == 9)
        // A warning is not a failure.
        let found = try doctor()
        #expect(found.exitCode == 0, "\(found.output)")
        #expect(
            found.output.contains(
                """
                certificates: warning: \(place)\(path) expires in 9 days
                  hint: replace it, and send SIGHUP to countersignd run

                """
            ),
            "\(found.output)"
        )
        #expect(found.errorOutput == "")
        #expect(verifier.stop() == 0)
    }

    @Test func `is an error after it`() throws {
        try premises.useCertificate(.expired)
        let verifier = try RunningVerifier(premises)
        let line = try verifier.wait(for: #""message":"certificate expired""#)
        #expect(line.contains(#""level":"error""#))
        let warning = "warning: \(path) expired at 2020-02-01T00:00:00.000Z\n"
        try expectReady("ready\n" + warning, verifier)
        #expect(try days(left: verifier, of: path) < -365)
        let found = try doctor("--json")
        #expect(found.exitCode == 1)
        let report = try JSONObject(found.output)
        let finding = try #require(report.findings(in: "certificates").first)
        #expect(finding.text("level") == "error")
        #expect(finding.text("problem") == "\(path) has expired")
        #expect(verifier.stop() == 0)
    }

    @Test func `is a warning in JSON too`() throws {
        try premises.useCertificate(.expiring)
        let verifier = try RunningVerifier(premises)
        let found = try doctor("--json")
        #expect(found.exitCode == 0)
        let report = try JSONObject(found.output)
        let finding = try #require(report.findings(in: "certificates").first)
        #expect(finding.text("level") == "warning")
        #expect(finding.text("problem") == "\(path) expires in 9 days")
        #expect(verifier.stop() == 0)
    }

    @Test func `is the one of the loaded certificate, not of the file`() throws {
        try premises.useCertificate(.expiring)
        let verifier = try RunningVerifier(premises)
        try premises.useCertificate(.server)
        #expect(try days(left: verifier, of: path) == 9)
        verifier.signal(SIGHUP)
        try verifier.wait(for: #""message":"certificates reloaded""#)
        #expect(try days(left: verifier, of: path) == 89)
        try expectReady("ready\n", verifier)
        // A reload that fails changes nothing; one that succeeds is checked at once.
        try premises.useCertificate(.otherKey)
        verifier.signal(SIGHUP)
        let refused = try verifier.wait(for: #""message":"certificates not reloaded""#)
        #expect(refused.contains("the key \(path) does not belong to the certificate"))
        #expect(try days(left: verifier, of: path) == 89)
        try premises.useCertificate(.expired)
        verifier.signal(SIGHUP)
        try verifier.wait(for: #""message":"certificate expired""#)
        #expect(verifier.stop() == 0)
    }

    /// Names the file as the CA certificates of a webhook.
    private func trust(_ authorities: String) throws {
        try premises.write("whsec_\(String(repeating: "QUJD", count: 8))\n", to: "keys/webhook")
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        let webhook = """
            "webhooks": [{"enterprise": "bank", "events": "accounts", "url": "https://bank.example",
                "secrets": ["keys/webhook"], "caCertificates": "\(authorities)"}],
            "log":
            """
        try premises.write(text.replacing("\"log\":", with: webhook), to: "countersignd.json")
    }

    @Test func `counts for CA certificates only if it is the last one`() throws {
        let certificates = try Certificates.shared.get()
        let text = try [Certificates.Name.expired, .expiring, .authority].map {
            try String(contentsOfFile: certificates.path($0), encoding: .utf8)
        }
        try premises.write(text.joined(), to: "authorities.pem")
        let authorities = premises.path("authorities.pem")
        try trust(authorities)
        let verifier = try RunningVerifier(premises)
        try expectReady("ready\n", verifier)
        let end = try days(left: verifier, of: authorities)
        #expect(end > 30)
        // A file that is not readable for a moment keeps its value.
        try FileManager.default.removeItem(atPath: authorities)
        verifier.signal(SIGHUP)
        try verifier.wait(for: #""message":"certificates reloaded""#)
        #expect(try days(left: verifier, of: authorities) == end)
        try premises.write(text[1], to: "authorities.pem")
        verifier.signal(SIGHUP)
        let line = try verifier.wait(for: #""message":"certificate expires soon""#)
        #expect(line.contains(#""certificate":"\#(authorities)""#))
        #expect(try days(left: verifier, of: authorities) == 9)
        #expect(verifier.stop() == 0)
    }

    @Test func `is reported for the CA certificates of a webhook`() throws {
        let authorities = try Certificates.shared.get().path(.expiring)
        try trust(authorities)
        let verifier = try RunningVerifier(premises)
        let line = try verifier.wait(for: #""message":"certificate expires soon""#)
        #expect(line.contains(#""certificate":"\#(authorities)""#))
        #expect(try days(left: verifier, of: authorities) == 9)
        #expect(try days(left: verifier, of: path) == 89)
        let found = try doctor()
        #expect(
            found.output.contains(
                "certificates: warning: \(authorities) expires in 9 days\n  hint: replace it\n"
            ),
            "\(found.output)"
        )
        #expect(verifier.stop() == 0)
    }

    @Test func `a key of another certificate is reported, also by the doctor`() throws {
        try premises.useCertificate(.otherKey)
        let refused = try premises.countersignd("run")
        #expect(refused.exitCode == 65)
        let problem = "server: the key \(path) does not belong to the certificate"
        let hint = "hint: server.tls must name a certificate and its own key"
        #expect(refused.errorOutput == "countersignd: \(problem)\n\(hint)\n")
        let found = try doctor()
        #expect(found.exitCode == 1)
        #expect(found.output.contains("certificates: \(problem)\n  \(hint)\n"), "\(found.output)")
    }
}
