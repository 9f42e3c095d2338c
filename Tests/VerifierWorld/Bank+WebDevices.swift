import TransactionApproval
package import Verification

extension Bank {
    /// A policy that allows web devices.
    package static func webPolicy(
        requiresPRF: Bool = true,
        ceiling: UInt64? = nil,
        types: [String] = ["userPIN", "consent"]
    ) -> String {
        let limit = ceiling.map { #", "ceilings": [{"currency": "EUR", "minorUnits": \#($0)}]"# }
        let names = types.map { #""\#($0)""# }.joined(separator: ", ")
        return """
            {"authentication": [\(names)],
             "consentCeilings": [{"currency": "EUR", "minorUnits": 100000}],
             "webDevices": {"allowed": true, "requiresPRF": \(requiresPRF)\(limit ?? "")}}
            """
    }

    package func setPolicy(_ policy: String) async throws {
        let result = try await verifier.setPolicy(policy, of: Self.enterprise, by: Self.core)
        guard result == .done || result == .unchanged else { throw Unexpected() }
    }

    package func issueForBrowser(
        for account: AccountReference = account
    ) async throws -> IssueResult {
        try await verifier.issueActivation(for: account, isWeb: true, by: Self.core)
    }

    /// Runs a complete activation of a web device.
    package func activateBrowser(
        _ account: AccountReference = account
    ) async throws -> Phone {
        let phone = try phone()
        let issued = try await issueForBrowser(for: account).issued()
        let submitted = try phone.claim(issued.id, issued.code)
        try await complete(try await offered(submitted, to: [phone], issued.code))
        return phone
    }
}
