import AuthenticationHandler
import Foundation
import Testing

/// The example in the README is this code.
@Suite struct `The README's example` {
    private func approve(
        vault: String,
        secrets: SecretFolder,
        show: (PendingTransaction) -> Void,
        ask: (String) -> [UInt8]
    ) async throws {
        // From here
        let handler = try AuthenticationHandler(
            vault: vault,
            secrets: secrets,
            deviceName: "My phone"
        )
        guard let transaction = try await handler.pendingTransaction() else { return }
        show(transaction)
        var pin = ask("PIN:")
        try await handler.approve(transaction, with: .pin(PIN(wiping: &pin)))
        // to here.
    }

    @Test func `is compiled`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasSuffix("// From here") })
        let last = try #require(lines.firstIndex { $0.hasSuffix("// to here.") })
        let example = lines[(first + 1)..<last].map { $0.dropFirst(8) }.joined(separator: "\n")
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        let readme = root.appendingPathComponent("README.md")
        #expect(try String(contentsOf: readme, encoding: .utf8).contains(example))
    }
}
