import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import countersignd

@Suite struct `Variables of the environment` {
    private static let members = ConfigurationMember.all.filter { !$0.isOfElement }

    @Test func `mean one member each, and every member has one`() {
        #expect(Set(Self.members.map(\.variable)).count == Self.members.count)
        for member in ConfigurationMember.all {
            #expect(member.path.wholeMatch(of: /[A-Za-z.]+/) != nil, "\(member.path)")
        }
        let key = ConfigurationMember("server.tls.key")
        #expect(key?.variable == "COUNTERSIGND_SERVER_TLS_KEY")
        #expect(ConfigurationMember("webhooks.url")?.isOfElement == true)
    }

    @Test func `are all listed by help, and their members all described in the configuration`()
        throws
    {
        let help = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["help", "run"]
        ).output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for member in Self.members { #expect(help.contains(member.variable)) }
        for member in ConfigurationMember.all {
            let name = member.path.split(separator: ".").last ?? ""
            let isShown = Configuration.standardText.contains("\"\(name)\"")
            #expect(isShown || name == "postgresql" || name == "sqlite", "\(member.path)")
        }
    }

    private let premises: Premises

    init() throws {
        premises = try Premises.made()
        try premises.serve(with: nil)
    }

    @Test func `take the place of what the file says, whole or in part, for every command`() throws
    {
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

    @Test func `are objects of their own where the file has none`() throws {
        let keys = #"""
            "encryptionKeys": "keys/encryption", "agreementKey": "keys/agreement",
            "responseKey": "keys/answers", "checkpointKey": "keys/checkpoint"
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
        #expect(verifier.said.last?.contains(#""operation":[],"connections":70}"#) == true)
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
            (["SERVER_ORIGN": "MARKER"], "the variable COUNTERSIGND_SERVER_ORIGN is unknown"),
            (["server_origin": "MARKER"], "the variable COUNTERSIGND_server_origin is unknown"),
            (["": "MARKER"], "the variable COUNTERSIGND_ is unknown"),
            (["WEBHOOKS_URL": "MARKER"], "the variable COUNTERSIGND_WEBHOOKS_URL is unknown"),
            (["JOURNAL": ""], "the variable COUNTERSIGND_JOURNAL is empty"),
            (["SERVER_LISTEN": "MARKER"], "the variable COUNTERSIGND_SERVER_LISTEN is no JSON"),
            (["LOG": #"{"MARKER"}"#], "the variable COUNTERSIGND_LOG is no JSON"),
            (
                ["LOG": #"{"level": "info"}"#, "LOG_LEVEL": "debug"],
                "the variables COUNTERSIGND_LOG and COUNTERSIGND_LOG_LEVEL set the same"
            ),
            (["SERVER_LISTEN": #""MARKER""#], "with COUNTERSIGND_SERVER_LISTEN: the member server"),
            (["SERVER_LISTEN": #""MARKER""#], "server.listen has the wrong type or value"),
            (["LOG": #"{"levels": "info"}"#], "the member log.levels is unknown"),
            (["LOG_LEVEL": "MARKER"], "the member log.level is none of debug, info and error"),
            (["SERVER_CONNECTIONS": "0"], "server.connections is not from 1 to 1000000"),
            (["SERVER_CONNECTIONSPERADDRESS": "0"], "connectionsPerAddress is not from 1 to 10"),
            (["SERVER_DRAINSECONDS": "3601"], "server.drainSeconds is not from 0 to 3600"),
            (["SERVER_DRAINSECONDS": "1.5"], "server.drainSeconds has the wrong type or value"),
            (
                ["STORE": #"{"postgresql": "host=/nowhere password=MARKER"}"#],
                "is no connection string, or holds a password"
            ),
            (["STORE_POSTGRESQL": "host=/nowhere"], "must hold either sqlite or postgresql"),
        ] as [([String: String], String)]
    )
    func `are refused where they are not known, and their values are told to nobody`(
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
        premises = try Premises.made()
        try premises.serve(with: nil)
    }

    private static let get = "GET /openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test(arguments: ["CONNECTIONS", "CONNECTIONSPERADDRESS"])
    func `turn away who is one too many, and nobody else`(_ limit: String) throws {
        let verifier = try RunningVerifier(
            premises,
            environment: ["COUNTERSIGND_SERVER_" + limit: "2"]
        )
        let clients = try (0..<2).map { _ in try LoopbackSocket(.connected, to: verifier.port) }
        #expect(try LoopbackSocket(.connected, to: verifier.port).rest() == "")
        for client in clients {
            try client.send(Self.get)
            #expect(client.rest().hasPrefix("HTTP/1.1 200 "))
        }
        #expect(verifier.stop() == 0)
    }

    @Test func `are how long it waits for those whom it has not answered`() throws {
        let verifier = try RunningVerifier(
            premises,
            environment: ["COUNTERSIGND_SERVER_DRAINSECONDS": "0"]
        )
        let client = try LoopbackSocket(.connected, to: verifier.port)
        try client.send("POST /bank/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{")
        verifier.signal(SIGTERM)
        #expect(client.rest() == "")
        #expect(verifier.end() == 0)
    }
}
