import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The section "Try it without a scheme" of the page for operators.
@Suite struct `The documented trial of an ACS` {
    private let blocks: [String]

    init() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/operate/run-an-acs.md")
        let text = try String(contentsOf: page.standardized, encoding: .utf8)
        let start = try #require(text.range(of: "### Try it without a scheme\n"))
        let end = try #require(text[start.upperBound...].range(of: "\n### "))
        let parts = text[start.upperBound..<end.lowerBound].components(separatedBy: "```\n")
        blocks = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
        try #require(blocks.count == 3)
    }

    /// With the members of the page.
    private func made() throws -> ACSFolder {
        let folder = try ACSFolder(
            configuration: """
                {
                "store": {"sqlite": "acs.db"}, "encryptionKeys": "acs-keys/encryption",
                "enterprise": "bank",
                "verifier": {"origin": "http://127.0.0.1:1", "token": "acs-keys/verifier-token"},
                \(blocks[1])
                }
                """
        )
        try folder.write(blocks[0], to: "commands")
        let commands = try folder.shell("bash -e commands; $PROGRAM init --config acs.json")
        try #require(commands.exitCode == 0, "\(commands.errorOutput)")
        try folder.write("cstk_0123456789\n", to: "acs-keys/verifier-token")
        return folder
    }

    @Test func `has all certificates and keys that doctor checks`() throws {
        let run = try made().run("doctor")
        let parts = [
            "configuration", "encryption keys", "verifier", "directory A000000003", "directories",
            "server.directories", "server.challenges", "server.issuer", "issuer's token",
            "certificates", "store",
        ]
        let expected = parts.map { "\($0): ok\n" }.joined() + "verifier's API: cannot connect to "
        #expect(run.output.hasPrefix(expected), "\(run.output)")
    }

    @Test func `has an ACS that accepts the directory server`() throws {
        let folder = try made()
        let text = try folder.text("acs.json")
        var ports = text
        for port in ["8453", "8454", "8455"] {
            ports = ports.replacing(port, with: "\(try freePort())")
        }
        try folder.write(ports, to: "acs.json")
        let acs = try RunningServer(acs: folder.configuration)
        defer { acs.kill() }
        let port = try #require(
            ports.firstMatch(of: /"directories": \{\s*"listen": \["127.0.0.1:(\d+)"/)
        )
        try folder.write("{}", to: "areq.json")
        let call = blocks[2].replacing("localhost:8453", with: "localhost:\(port.1)")
        let answer = try folder.shell(call)
        #expect(answer.exitCode == 0, "\(answer.errorOutput)")
        #expect(answer.output.contains(#""messageType":"Erro""#), "\(answer.output)")
        // Without its certificate, the handshake fails.
        let stranger = call.replacing(/--cert \S+ --key \S+/, with: "")
        #expect(try folder.shell(stranger).exitCode != 0)
    }
}
