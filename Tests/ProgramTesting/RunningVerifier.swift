import Foundation
package import TestSupport

/// `countersignd run` in its own process, which ends with this value.
package final class RunningVerifier: RunningServer {
    /// The port of the two APIs, and the port of metrics and health checks.
    package private(set) var (port, operationPort) = (0, 0)
    /// The port of the bank's API, if it has one of its own.
    package private(set) var bankPort = 0

    /// Starts the verifier, directly or by another program that executes it.
    package init(
        _ premises: Premises,
        by opener: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        let program = BuiltProducts.path(of: "countersignd")
        try super.init(
            opener + [program, "run", "--config", premises.configuration],
            environment: environment,
            until: #""message":"listening""#
        )
        let line = logLines.last ?? ""
        let ports = line.matches(of: /:(\d+)"/).compactMap { Int($0.1) }
        (port, operationPort) = (ports[0], ports.dropFirst().first ?? 0)
        let bank = line.firstMatch(of: /"bank":\["[^"]*:(\d+)"/)
        bankPort = bank.flatMap { Int($0.1) } ?? 0
    }

    deinit { kill(by: SIGTERM) }

    package func limits() throws -> String {
        try String(contentsOfFile: "/proc/\(processID)/limits", encoding: .utf8)
    }
}

extension Premises {
    /// Configures free ports and TLS with a certificate of `Certificates`.
    package func serve(at port: Int = 0, with certificate: Certificates.Name? = .server) throws {
        let text = String(decoding: try contents("countersignd.json"), as: UTF8.self)
        let tls = #""tls": {"certificate": "tls.pem", "key": "tls.pem"},"#
        var served = text.replacing("\"127.0.0.1:8080\"", with: "\"127.0.0.1:\(port)\"")
            .replacing("\"127.0.0.1:8081\"", with: "\"127.0.0.1:0\"")
        if let certificate {
            try useCertificate(certificate)
            served.replace(
                "// \"tls\": {\"certificate\": \"tls/certificate.pem\"",
                with: tls + " //"
            )
            served.replace(
                "http://127.0.0.1:8080",
                with: "https://localhost:\(port == 0 ? 1 : port)"
            )
        }
        try write(served, to: "countersignd.json")
    }

    /// Configures a port for the bank's API, with TLS and with client certificates of a CA.
    package func serveBank(
        at port: Int = 0,
        to clients: Certificates.Name? = .authority
    ) throws {
        try useCertificate(.server, as: "bank.pem")
        var tls = #""certificate": "bank.pem", "key": "bank.pem""#
        if let clients {
            try useCertificate(clients, as: "clients.pem")
            tls += #", "clientAuthorities": "clients.pem""#
        }
        let bank = #""bank": {"listen": ["127.0.0.1:\#(port)"], "tls": {\#(tls)}},"#
        let text = String(decoding: try contents("countersignd.json"), as: UTF8.self)
        let served = text.replacing("\n{\n", with: "\n{\n\(bank)\n", maxReplacements: 1)
        try write(served, to: "countersignd.json")
    }

    package func useCertificate(_ name: Certificates.Name, as file: String = "tls.pem") throws {
        let path = try Certificates.shared.get().path(name)
        try write(try String(contentsOfFile: path, encoding: .utf8), to: file)
    }

    /// The text of a new token.
    package func token(
        _ name: String,
        _ role: String,
        reaching reach: [String] = ["--enterprise", "bank"]
    ) throws -> String {
        let result = try countersignd(["token", "create", name, role] + reach)
        guard result.exitCode == 0 else {
            throw RunningVerifier.EndedEarly(logLines: [result.errorOutput])
        }
        return result.output.trimmingCharacters(in: .newlines)
    }
}
