import Cryptography
import Foundation
import HTTPServer
import Sealing
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite struct `The device API in the OpenAPI document` {
    private static let isAsked =
        ReferenceCheckers.areInstalled && Proof.isComplete

    /// Sixty each, because the clock does not advance.
    private func devices(of server: ServedBank) async throws -> [[String: String]] {
        var devices: [[String: String]] = []
        for number in 0..<100 {
            let (_, phone) = try await server.bank.activate("D\(number)")
            let scalar = try phone.key.scalar().withBytes { TextEncoding.hexadecimal.encode($0) }
            devices.append(["id": phone.id.description, "key": scalar])
        }
        return devices
    }

    private func keys(of server: ServedBank) throws -> [String: String] {
        let key = server.responseKey.publicKey
        let encoded = TextEncoding.hexadecimal.encode(key.subjectPublicKeyInfo.span)
        return [try ServerKeyID(of: key).description: encoded]
    }

    @Test(.enabled(if: isAsked, "only in make prove, after Packaging/reference-checkers"))
    func `describes every response`() async throws {
        let served = try await ServedBank()
        let router = try served.router()
        let server = try Server([Listener("127.0.0.1", port: 0)]) { await router.respond(to: $0) }
        try await server.start()
        let known: [String: Any] = [
            "origin": try ServedBank.origin.unwrapped().text,
            "now": served.bank.clock.now.milliseconds / 1000,
            "devices": try await devices(of: served), "keys": try keys(of: served),
        ]
        let run = try Schemathesis(
            "device",
            at: "http://127.0.0.1:\(server.ports[0])",
            knowing: known,
            "--include-path-regex",
            "^/device/",
            "-n",
            "30"
        )
        let findings = try run.findings()
        #expect(findings == nil, "\(findings ?? "")")
        await server.stop(within: .zero)
    }
}
