import Foundation
import ProgramTesting
import TestSupport

/// A verifier that serves banks over TLS, for as long as the tests of this target run.
final class Bank: Sendable {
    static let open = Result { try Bank() }

    let origin: String
    let premises: Premises
    /// Of whoever trusts it, by the keys that `init` prints.
    let settings: String
    private let core: Backend
    /// Its other end ends the verifier once this process is over, however that happens.
    private let life = Pipe()

    private init() throws {
        premises = try Premises.made()
        let port = try freePort()
        origin = "https://localhost:\(port)"
        try premises.serve(at: port)
        let ceiling = #"{"currency": "EUR", "minorUnits": 10000}"#
        try Self.addEnterprise(
            "bank",
            #"{"authentication": ["userPIN", "consent"], "consentCeilings": [\#(ceiling)]}"#,
            premises
        )
        try Self.addEnterprise("careful", #"{"numberMatchingDigits": 2}"#, premises)
        settings = try Self.settings(of: premises, at: origin)
        try Self.start(premises, life)
        while (try? RawSocket(connectedTo: port)) == nil { sched_yield() }
        core = try Backend(premises, origin)
    }

    private static func addEnterprise(
        _ name: String,
        _ policy: String,
        _ premises: Premises
    ) throws {
        try premises.write(policy, to: "policy.json")
        let path = premises.path("policy.json")
        let set = try premises.countersignd("policy", "set", name, path, "--new")
        guard set.exitCode == 0 else { throw Premises.Failure(said: set.errorOutput) }
    }

    private static func start(_ premises: Premises, _ life: Pipe) throws {
        let script = "\"$@\" 2>\"$0\" & read -r _; kill $!"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", script, premises.path("log"), BuiltProducts.path(of: "countersignd"), "run",
            "--config", premises.configuration,
        ]
        process.standardInput = life
        try process.run()
    }

    func newAccount(_ id: String, at enterprise: String) throws -> Backend {
        try core.adding(account: id, at: enterprise)
    }

    /// What the verifier said so far.
    func log() throws -> String { String(decoding: try premises.contents("log"), as: UTF8.self) }

    private static func settings(of premises: Premises, at origin: String) throws -> String {
        let printed = try premises.countersignd("init").output
        func key(_ name: String) throws -> String {
            guard
                let line = printed.split(separator: "\n").first(where: { $0.contains(name) }),
                let key = line.split(separator: " ").last
            else { throw Premises.Failure(said: printed) }
            return String(key)
        }
        let certificates = try Certificates.made.get()
        let pins = [try certificates.pinText(.server), try certificates.pinText(.rsa)]
        return """
            {"servers": [{"origin": "\(origin)", "agreementKey": "\(try key("agreementKey"))",
            "signingKey": "\(try key("signingKey"))", "pins": ["\(pins[0])", "\(pins[1])"]}],
            "authorities": "\(certificates.path(.authority))"}
            """
    }
}
