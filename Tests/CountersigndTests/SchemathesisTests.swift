import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `The OpenAPI description of the bank's API` {
    private let premises: Premises
    private let port: Int

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        port = try freePort()
        try premises.serve(at: port)
    }

    /// A token for each scope.
    private func tokens() throws -> [String: String] {
        let roles = [
            "issuer": ["read", "accounts", "activations", "transactions", "codes"],
            "customerService": ["support"], "auditor": ["audit"],
            "administrator": ["administration"], "codeDelivery": ["activations.codes"],
            "cards": ["cards"],
        ]
        var tokens: [String: String] = [:]
        for (role, scopes) in roles {
            let token = try premises.token(role.lowercased(), role, reaching: ["--all"])
            for scope in scopes { tokens[scope] = token }
        }
        return tokens
    }

    @Test(
        .enabled(
            if: ReferenceCheckers.areInstalled,
            "Packaging/reference-checkers installs what is needed"
        ),
        .timeLimit(.minutes(15))
    )
    func `responses conform to the description`() async throws {
        let origin = "https://localhost:\(port)"
        let verifier = try RunningVerifier(premises)
        let backend = try Backend(premises, origin)
        let app = try await premises.app(of: origin)
        try await premises.activate(app, of: origin, by: backend)
        _ = try backend.adding(account: "4712", at: "bank")
        let created = try backend.post("/transactions", #"{"context":"action","title":"x"}"#)
        let devices = try backend.get("/devices").body
        let device = try #require(devices.firstMatch(of: /"id":"([0-9a-f]{32})"/)).1
        let names = [
            "path.enterprise": "bank", "path.accountType": "main", "path.accountID": "4711",
            "path.otherType": "main", "path.otherID": "4712", "path.device": String(device),
            "path.activation": try #require(try backend.post("/activations")["id"]),
            "path.transaction": try #require(created["id"]), "query.wait": "0",
        ]
        let known = ["tokens": try tokens()]
        // With existing names, and with `make prove` also with random names.
        let runs = try (Proof.isComplete ? [names, [:]] : [names]).map { names in
            try Schemathesis(
                "bank",
                at: origin,
                knowing: known,
                fixing: names,
                "--include-path-regex",
                "^/bank/",
                "-n",
                "6",
                "--tls-verify",
                try Certificates.shared.get().path(.authority)
            )
        }
        for run in runs {
            let findings = try run.findings()
            #expect(findings == nil, "\(findings ?? "")")
        }
        #expect(verifier.stop() == 0)
    }
}
