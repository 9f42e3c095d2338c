package import Foundation
import PrivateFiles
import TestSupport

/// A verifier with TLS, shared by the tests of this target or started for one test.
package final class Bank: Sendable {
    package static let open = Result { try Bank() }

    package let origin: String
    package let premises: Premises
    /// The settings of a person who trusts the bank, with the keys that `init` prints.
    package let settings: String
    private let core: Backend
    private let port: Int
    private let environment: [String: String]
    private let running: LockedValue<Running>

    /// The verifier ends when the other end of `life` is closed, at the latest with this process.
    ///
    /// Then its end of `end` closes too. A shell could wait for ever if the parent process blocks
    /// signals.
    private struct Running {
        let life: Pipe
        let end: Pipe
    }

    /// `preparing` runs before the verifier starts for the first time.
    package init(
        _ environment: [String: String] = [:],
        preparing: (Premises) throws -> Void = { _ in }
    ) throws {
        premises = try Premises.initialized()
        port = try freePort()
        origin = "https://localhost:\(port)"
        self.environment = environment
        try premises.serve(at: port)
        let ceiling = #"{"currency": "EUR", "minorUnits": 10000}"#
        try Self.addEnterprise(
            "bank",
            #"{"authentication": ["userPIN", "consent"], "consentCeilings": [\#(ceiling)],"#
                + #" "returnAddresses": ["https://bank.example"]}"#,
            premises
        )
        try Self.addEnterprise(
            "sensing",
            #"{"authentication": ["userPIN", "biometric"]}"#,
            premises
        )
        try Self.addEnterprise("careful", #"{"numberMatchingDigits": 2}"#, premises)
        settings = try Self.settings(of: premises, at: origin)
        try preparing(premises)
        running = LockedValue(try Self.start(premises, environment, at: port))
        core = try Backend(premises, origin)
    }

    /// Stops the verifier, runs `body`, and starts the verifier again.
    package func restart(after body: () throws -> Void) throws {
        try running.withLock { running in
            try running.life.fileHandleForWriting.close()
            _ = running.end.fileHandleForReading.readDataToEndOfFile()
            try body()
            running = try Self.start(premises, environment, at: port)
        }
    }

    private static func addEnterprise(
        _ name: String,
        _ policy: String,
        _ premises: Premises
    ) throws {
        try premises.write(policy, to: "policy.json")
        let path = premises.path("policy.json")
        let set = try premises.countersignd("policy", "set", name, path, "--new")
        guard set.exitCode == 0 else { throw Premises.Failure(output: set.errorOutput) }
    }

    private static func start(
        _ premises: Premises,
        _ environment: [String: String],
        at port: Int
    ) throws -> Running {
        let script = """
            "$@" 2>>"$0" &
            exec >/dev/null
            echo $! >"$0.process"
            read -r _
            kill $!
            """
        let (life, end) = (Pipe.closedOnExec(), Pipe.closedOnExec())
        // Another process of these tests would keep it open.
        _ = fcntl(life.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", script, premises.path("log"), BuiltProducts.path(of: "countersignd"), "run",
            "--config", premises.configuration,
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = life
        process.standardOutput = end
        try process.start()
        try spinUntil { (try? LoopbackSocket(.connected, to: port)) != nil }
        return Running(life: life, end: end)
    }

    private func processID() throws -> String {
        String(decoding: try premises.contents("log.process"), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
    }

    package func signal(_ number: Int32) throws {
        guard let process = Int32(try processID()) else { throw Premises.Failure(output: "") }
        kill(process, number)
    }

    /// The arguments and environment of the verifier, as other programs of root see them.
    package func shown() throws -> Data {
        let process = try processID()
        return try ["cmdline", "environ"].reduce(into: Data()) { shown, name in
            shown += try Data(contentsOf: URL(filePath: "/proc/\(process)/\(name)"))
        }
    }

    package func newAccount(_ id: String, at enterprise: String) throws -> Backend {
        try core.adding(account: id, at: enterprise)
    }

    /// The log of the verifier so far.
    package func log() throws -> String {
        String(decoding: try premises.contents("log"), as: UTF8.self)
    }

    private static func settings(of premises: Premises, at origin: String) throws -> String {
        let printed = try premises.countersignd("init").output
        guard
            let settings = printed.firstMatch(of: /(?s)\n    (\{\n.*?\n    )\}\n/)?.1,
            settings.contains("\"\(origin)\"")
        else { throw Premises.Failure(output: printed) }
        let certificates = try Certificates.shared.get()
        let pins = [try certificates.pinText(.server), try certificates.pinText(.rsa)]
        let pinned = settings.replacing(
            /("signingKey": "[^"]+")/,
            with: { "\($0.1), \"pins\": [\"\(pins[0])\", \"\(pins[1])\"]" }
        )
        return String(pinned) + ", \"authorities\": \"\(certificates.path(.authority))\"}"
    }
}

extension Premises {
    /// Replaces the policy of the enterprise `bank`, before the verifier starts.
    package func setPolicy(_ policy: String) throws {
        try write(policy, to: "policy.json")
        let set = try countersignd("policy", "set", "bank", path("policy.json"))
        guard set.exitCode == 0 else { throw Failure(output: set.errorOutput) }
    }
}
