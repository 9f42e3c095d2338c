package import TransactionApproval

/// Whether persons may approve in a web browser, and how much (SEC-113).
package struct WebDevicePolicy: Equatable, Sendable {
    package static let none = WebDevicePolicy(isAllowed: false, requiresPRF: true, ceilings: nil)

    /// Without it, no web device is activated, and the existing ones approve nothing.
    package let isAllowed: Bool
    /// Whether the browser must mix the output of WebAuthn PRF into its secrets.
    package let requiresPRF: Bool
    /// The maximum of one transaction, at most one for each currency; nil if there is no limit.
    package let ceilings: [Amount]?

    package init(isAllowed: Bool, requiresPRF: Bool, ceilings: [Amount]?) {
        self.isAllowed = isAllowed
        self.requiresPRF = requiresPRF
        self.ceilings = ceilings
    }

    /// Whether a web device can approve it.
    package func allows(_ content: Transaction.Content) -> Bool {
        ceilings?.allow(content) ?? true
    }
}
