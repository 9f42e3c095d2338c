import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `The member push.web` {
    private static let contact = #""contact": "https://bank.example/security""#

    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.serve(with: nil)
    }

    private func configure(_ members: String) throws {
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        let sample = #"// "web": {"key": "keys/push", \#(Self.contact)},"#
        try #require(text.contains(sample))
        try premises.write(
            text.replacing(sample, with: #""web": {\#(members)},"#),
            to: "countersignd.json"
        )
    }

    /// Ends the process if it starts.
    private func run() throws -> FinishedProcess {
        try FinishedProcess.run(
            "timeout",
            [
                "20", BuiltProducts.path(of: "countersignd"), "run", "--config",
                premises.configuration,
            ]
        )
    }

    private func expectRefusal(_ sentence: String, hint: String? = nil, exitCode: Int32) throws {
        let refused = try run()
        #expect(refused.exitCode == exitCode, "\(refused.errorOutput)")
        let message = "countersignd: \(sentence)\n"
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        let found = try premises.countersignd("doctor")
        #expect(found.exitCode == 1)
        #expect(found.output.contains("keys: \(sentence)\n"), "\(found.output)")
        guard let hint else { return }
        #expect(refused.errorOutput.contains("hint: \(hint)\n"), "\(refused.errorOutput)")
        #expect(found.output.contains("  hint: \(hint)\n"), "\(found.output)")
    }

    @Test func `is accepted with a key of its own, hosts and CA certificates`() throws {
        let authorities = try Certificates.shared.get().path(.authority)
        let services = #""services": ["localhost:9555", "*.push.example"]"#
        try configure(
            #""key": "keys/push", \#(Self.contact), \#(services), "caCertificates": "\#(authorities)""#
        )
        #expect(try premises.countersignd("init").exitCode == 0)
        let found = try premises.countersignd("doctor")
        #expect(found.output.contains("keys: ok\n"), "\(found.output)")
        let verifier = try RunningVerifier(premises)
        #expect(verifier.stop() == 0)
    }

    @Test(arguments: [
        "https://", "https://x y\\n", "http://bank.example/", "http://localhost/",
        "mailto:security@bank.example", "bank.example", "https://a:b@bank.example/",
    ])
    func `needs the URL of a contact`(_ contact: String) throws {
        try configure(#""key": "keys/push", "contact": "\#(contact)""#)
        try expectRefusal("push.web.contact must be an https:// URL", exitCode: 65)
    }

    @Test func `needs at least one host`() throws {
        try configure(#""key": "keys/push", \#(Self.contact), "services": []"#)
        try expectRefusal("push.web.services must be a list of at least one host", exitCode: 65)
    }

    @Test(arguments: ["*", "*.", "https://fcm.googleapis.com/", "FCM.googleapis.com", "fcm.*.com"])
    func `needs hosts that are names`(_ service: String) throws {
        try configure(
            #""key": "keys/push", \#(Self.contact), "services": ["push.example", "\#(service)"]"#
        )
        try expectRefusal(
            "push.web.services must be hosts such as push.example or *.push.example, not \(service)",
            exitCode: 65
        )
    }

    @Test(arguments: ["nowhere.pem", "keys/response", "keys"])
    func `needs CA certificates that can be read`(_ file: String) throws {
        try configure(#""key": "keys/push", \#(Self.contact), "caCertificates": "\#(file)""#)
        try expectRefusal(
            "push.web.caCertificates must be a readable file of CA certificates in PEM",
            exitCode: 65
        )
    }

    @Test(arguments: ["agreement", "response", "checkpoint"])
    func `needs another key than all other members`(_ name: String) throws {
        try configure(#""key": "keys/push", \#(Self.contact)"#)
        try premises.copy("keys/\(name)", to: "keys/push")
        try expectRefusal("push.web.key must be another key than \(name)Key", exitCode: 65)
    }

    @Test(arguments: [
        ("keys/agreement", "name a file of its own"), ("keys/encryption", "name a file of its own"),
        ("pkcs11:push", "be a file, because no key of a token can be used"),
    ])
    func `needs a file of its own`(_ place: String, _ rule: String) throws {
        try configure(#""key": "\#(place)", \#(Self.contact)"#)
        for command in ["init", "doctor", "run"] {
            let refused = try premises.countersignd(command)
            let output = refused.output + refused.errorOutput
            #expect(output.contains("the member push.web.key must \(rule)\n"), "\(output)")
            #expect(refused.exitCode == (command == "doctor" ? 1 : 65))
        }
    }

    @Test func `needs init, which creates the key`() throws {
        try configure(#""key": "keys/push", \#(Self.contact)"#)
        try expectRefusal(
            "the key \(premises.path("keys/push")) of push.web.key does not exist",
            hint: "countersignd init creates it; if it was lost, restore it from a backup",
            exitCode: 66
        )
        #expect(try premises.countersignd("init").exitCode == 0)
        let found = try premises.countersignd("doctor")
        #expect(found.output.contains("keys: ok\n"), "\(found.output)")
    }
}
