import ConfigurationFiles
import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import countersignd

@Suite struct `Environment variables` {
    private static let table = ConfigurationTable.countersignd
    private static let places = table.places.filter(\.hasVariable)

    @Test func `every member has its own variable`() {
        #expect(Set(Self.places.map(\.variable)).count == Self.places.count)
        for place in Self.table.places {
            #expect(place.path.wholeMatch(of: /[A-Za-z0-9.]+/) != nil, "\(place.path)")
            #expect(place.hasVariable != place.path.hasPrefix("webhooks."), "\(place.path)")
        }
        let key = Self.places.first { $0.path == "server.tls.key" }
        #expect(key?.variable == "COUNTERSIGND_SERVER_TLS_KEY")
    }

    @Test func `the help lists all variables, and the initial file shows all members`() throws {
        let help = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["help", "run"]
        ).output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for place in Self.places { #expect(help.contains(place.variable)) }
        for place in Self.table.places {
            let isShown = Self.table.initialFile.contains("\"\(place.member.name)\"")
            #expect(isShown, "\(place.path)")
        }
    }

    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.serve(with: nil)
    }

    @Test func `a variable overrides a member or a section, for every command`() throws {
        let port = try freePort()
        let verifier = try RunningVerifier(
            premises,
            environment: [
                "COUNTERSIGND_SERVER":
                    #"{"origin": "http://localhost", "listen": ["127.0.0.1:0"]}"#,
                "COUNTERSIGND_OPERATION_LISTEN": #"["127.0.0.1:\#(port)"]"#,
                "COUNTERSIGND_LOG_LEVEL": "debug",
            ]
        )
        #expect(verifier.operationPort == port)
        #expect(try Fetched("http://127.0.0.1:\(port)/health/live").status == 200)
        try verifier.wait(for: #""level":"debug""#)
        #expect(verifier.stop() == 0)

        try premises.copy("keys/checkpoint", to: "elsewhere")
        try premises.remove("keys/checkpoint")
        #expect(try run(["audit", "verify"]).exitCode == 66)
        let moved = ["COUNTERSIGND_CHECKPOINTKEY": "elsewhere"]
        #expect(try run(["audit", "verify"], moved).exitCode == 0)
    }

    @Test func `variables create missing sections`() throws {
        let keys = #"""
            "encryptionKeys": "keys/encryption", "agreementKey": "keys/agreement",
            "responseKey": "keys/response", "checkpointKey": "keys/checkpoint"
            """#
        try premises.write(
            #"{"store": {"sqlite": "store/countersign.db"}, "journal": "journal/journal", \#(keys)}"#,
            to: "countersignd.json"
        )
        let verifier = try RunningVerifier(
            premises,
            environment: [
                "COUNTERSIGND_SERVER_ORIGIN": "http://localhost:1",
                "COUNTERSIGND_SERVER_LISTEN": #"["127.0.0.1:0"]"#,
                "COUNTERSIGND_SERVER_CONNECTIONS": "70",
            ]
        )
        #expect(verifier.logLines.last?.contains(#""operation":[],"connections":70}"#) == true)
        #expect(verifier.stop() == 0)
    }

    private func run(
        _ words: [String],
        _ variables: [String: String] = [:]
    ) throws -> FinishedProcess {
        try FinishedProcess.run(
            "timeout",
            ["20", BuiltProducts.path(of: "countersignd")] + words
                + ["--config", premises.configuration],
            environment: variables
        )
    }

    @Test(
        arguments: [
            (
                ["SERVER_ORIGN": "MARKER"],
                "the environment variable COUNTERSIGND_SERVER_ORIGN is unknown"
            ),
            (
                ["server_origin": "MARKER"],
                "the environment variable COUNTERSIGND_server_origin is unknown"
            ),
            (["": "MARKER"], "the environment variable COUNTERSIGND_ is unknown"),
            // "K" is canonically equivalent to the sign of the unit kelvin.
            (["JOURNAL": "j", "AGREEMENT\u{212A}EY": "MARKER"], "EY is unknown"),
            (["SERVICE_HOST": "MARKER"], "hint: if Kubernetes set it, set enableServiceLinks"),
            (["SERVICE_PORT_HTTPS": "MARKER"], "hint: if Kubernetes set it"),
            (["PORT_443_TCP": "MARKER"], "hint: if Kubernetes set it"),
            (
                ["WEBHOOKS_URL": "MARKER"],
                "the environment variable COUNTERSIGND_WEBHOOKS_URL is unknown"
            ),
            (["JOURNAL": ""], "the environment variable COUNTERSIGND_JOURNAL is empty"),
            (
                ["SERVER_LISTEN": "MARKER"],
                "the environment variable COUNTERSIGND_SERVER_LISTEN is not JSON"
            ),
            (["LOG": #"{"MARKER"}"#], "the environment variable COUNTERSIGND_LOG is not JSON"),
            (
                ["LOG": #"{"level": "info"}"#, "LOG_LEVEL": "debug"],
                "the environment variables COUNTERSIGND_LOG and COUNTERSIGND_LOG_LEVEL set the same"
            ),
            (["SERVER_LISTEN": #""MARKER""#], "with COUNTERSIGND_SERVER_LISTEN: the member server"),
            (["SERVER_LISTEN": #""MARKER""#], "server.listen must be an array of strings"),
            (["LOG": #"{"levels": "info"}"#], "unknown member log.levels"),
            (["LOG_LEVEL": "MARKER"], "the member log.level must be one of debug, info, error"),
            (["SERVER_CONNECTIONS": "0"], "server.connections must be between 1 and 1000000"),
            (
                ["SERVER_CONNECTIONSPERADDRESS": "0"],
                "connectionsPerAddress must be between 1 and 10"
            ),
            (
                ["SERVER_SHUTDOWNSECONDS": "3601"],
                "server.shutdownSeconds must be between 0 and 3600"
            ),
            (["SERVER_SHUTDOWNSECONDS": "1.5"], "server.shutdownSeconds must be a whole number"),
            (
                ["STORE": #"{"postgresql": "host=/nowhere password=MARKER"}"#],
                "contains the keyword password, which is not accepted"
            ),
            (["STORE_POSTGRESQL": "host=/nowhere"], "must contain either sqlite or postgresql"),
        ] as [([String: String], String)]
    )
    func `unknown and malformed variables are rejected without printing their values`(
        _ variables: [String: String],
        _ message: String
    ) throws {
        let named = variables.map { ("COUNTERSIGND_" + $0.key, $0.value) }
        let refused = try run(["run"], Dictionary(uniqueKeysWithValues: named))
        #expect(refused.exitCode == 65, "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains("\nhint: "))
        #expect(!refused.errorOutput.contains("MARKER"))
    }
}

@Suite struct `The limits of a server` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.serve(with: nil)
    }

    private static let get = "GET /openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test(arguments: ["CONNECTIONS", "CONNECTIONSPERADDRESS"])
    func `the server closes connections above the limit and serves the others`(_ limit: String)
        throws
    {
        let verifier = try RunningVerifier(
            premises,
            environment: ["COUNTERSIGND_SERVER_" + limit: "2"]
        )
        let clients = try (0..<2).map { _ in try LoopbackSocket(.connected, to: verifier.port) }
        #expect(try LoopbackSocket(.connected, to: verifier.port).remainingText() == "")
        for client in clients {
            try client.send(Self.get)
            #expect(client.remainingText().hasPrefix("HTTP/1.1 200 "))
        }
        #expect(verifier.stop() == 0)
    }

    @Test func `the shutdown timeout ends connections without a response`() throws {
        let verifier = try RunningVerifier(
            premises,
            environment: ["COUNTERSIGND_SERVER_SHUTDOWNSECONDS": "0"]
        )
        let client = try LoopbackSocket(.connected, to: verifier.port)
        try client.send("POST /bank/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{")
        verifier.signal(SIGTERM)
        #expect(client.remainingText() == "")
        #expect(verifier.end() == 0)
    }
}
