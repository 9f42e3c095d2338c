import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Clients that programs from PyPI generate from the OpenAPI document of a running verifier.
@Suite(
    .enabled(
        if: ReferenceCheckers.areInstalled,
        "Packaging/reference-checkers installs what is needed"
    )
)
struct `Generated clients of the bank's API` {
    private static let document = URL(filePath: #filePath)
        .appending(path: "../../../Sources/VerifierServer/OpenAPI/openapi.json").standardized

    /// The values that Tests/ReferenceCheckers/journey.py reads.
    private func known(_ premises: Premises, at origin: String) throws -> [UInt8] {
        let values = [
            "origin": origin, "authority": try Certificates.shared.get().path(.authority),
            "enterprise": "bank", "account": "4711",
            "issuer": try premises.token("issuer", "issuer", reaching: ["--all"]),
            "administrator": try premises.token("setup", "administrator", reaching: ["--all"]),
        ]
        return Array(try JSONSerialization.data(withJSONObject: values))
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["openapi_generator.py", "openapi_python_client.py"]
    )
    func `set up accounts, and create, await, withdraw and list transactions`(
        _ script: String
    ) async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        let port = try freePort()
        try premises.serve(at: port)
        let origin = "https://localhost:\(port)"
        let verifier = try RunningVerifier(premises)
        let backend = try Backend(premises, origin)
        let app = try await premises.app(of: origin)
        try await premises.activate(app, of: origin, by: backend)
        let input = try known(premises, at: origin)
        #expect(try ReferenceCheckers.check(script, given: input) == "done\n")
        #expect(verifier.stop() == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `have every operation in four languages`() throws {
        let document = Array(try Data(contentsOf: Self.document))
        let output = try ReferenceCheckers.check("generated_names.py", given: document)
        #expect(output == "done\n")
    }

    @Test func `come from a valid document with valid examples`() throws {
        let document = Array(try Data(contentsOf: Self.document))
        let output = try ReferenceCheckers.check("description.py", given: document)
        #expect(output.wholeMatch(of: /[0-9]+ examples\n/) != nil, "\(output)")
    }
}
