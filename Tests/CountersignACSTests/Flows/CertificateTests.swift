import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers)
struct `An ACS and the certificates of a directory` {
    private let machine: FaultyMachine
    private let premises: IssuerPremises

    init() throws {
        machine = try FaultyMachine()
        premises = try IssuerPremises(on: machine)
    }

    private func certificate(_ name: String) -> [String: String] {
        let file = premises.folder.path("pki/\(name)")
        return ["certificate": file + ".pem", "key": file + ".key"]
    }

    private func areq(by client: String) throws -> CardPaymentPeer.Report {
        let members: [String: Any] = [
            "card": IssuerPremises.card, "client": certificate(client),
        ]
        return try premises.peer.run("areq", members)
    }

    @Test func `SEC-74: refuse connections of an expired one, and of another CA's`() throws {
        for name in ["expired-client", "other-client"] {
            let refused = try areq(by: name)
            #expect(refused.text("kind") == "unreachable", "\(name): \(refused.members)")
        }
        #expect(try areq(by: "ds-client").text("ares", "transStatus") == "C")
        let url = "http://127.0.0.1:\(premises.ports.operation)/metrics"
        let count = "\ncountersign_acs_client_certificates_refused_total 2\n"
        #expect(try Fetched(url).body.contains(count))
        let lines = try premises.stop().log.filter { $0.contains("client certificate refused") }
        let words = #""endpoint":"server.directories","reason":"certificate has expired","#
        #expect(lines.count == 1 && lines[0].contains(words), "\(lines)")
    }

    @Test func `SEC-74: refuse a card of another directory`() throws {
        let second = """
            {
                "rid": "A000000004", "clients": "pki/acs-client.pem",
                "results": "https://localhost:1/results", "authorities": "pki/ca.pem",
                "certificate": "pki/acs-client.pem", "key": "pki/acs-client.key",
                "signing": {"key": "pki/signing.key", "certificates": "pki/signing.pem"},
                "ranges": ["5000000000000000-5000009999999999"]
            }
            """
        let text = try premises.folder.text("acs.json")
        try premises.folder.write(
            text.replacing(#""directories": [{"#, with: #""directories": [\#(second), {"#),
            to: "acs.json"
        )
        _ = try premises.stop()
        try premises.start()
        let refused = try areq(by: "acs-client")
        #expect(refused.text("erro", "errorCode") == "305", "\(refused.members)")
        #expect(try areq(by: "ds-client").text("ares", "transStatus") == "C")
    }

    @Test(arguments: ["expired-server", "other-server"])
    func `keep a result until its server has a valid one again`(_ name: String) throws {
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        _ = try premises.peer.run("directory", certificate(name))
        try premises.approve()
        let failed = try premises.challenge(of: purchase) {
            $0.contains(/"failedDeliveries":[1-9]/)
        }
        #expect(failed.contains(#""status":"Y""#), "\(failed)")
        #expect(try premises.peer.run("results")["count"] as? Int == 0)
        _ = try premises.peer.run("directory", certificate("ds-server"))
        try machine.advance(seconds: 10)
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "Y")
    }

    @Test func `report an expired one of a listener after a reload`() throws {
        let copy = "for end in pem key; do cp pki/expired-server.$end pki/acs-server.$end; done"
        #expect(try premises.folder.shell(copy).exitCode == 0)
        let line = try premises.reload(until: #""message":"certificate expired""#)
        #expect(line.contains(#""level":"error""#) && line.contains("acs-server.pem"), "\(line)")
    }

    @Test func `report an expired one that follows the one of a listener`() throws {
        let add = "cat pki/expired-client.pem >>pki/acs-server.pem"
        #expect(try premises.folder.shell(add).exitCode == 0)
        let line = try premises.reload(until: #""message":"intermediate certificate expired""#)
        #expect(line.contains(#""level":"error""#) && line.contains("acs-server.pem"), "\(line)")
    }

    @Test func `report an expired one to the operator`() throws {
        let text = try premises.folder.text("acs.json")
        try premises.folder.write(
            text.replacing("pki/ds-client.pem", with: "pki/expired-client.pem"),
            to: "acs.json"
        )
        let doctor = try premises.folder.run("doctor")
        #expect(doctor.exitCode == 1)
        #expect(doctor.output.contains("expired-client.pem ended at 20"), "\(doctor.output)")
    }
}
