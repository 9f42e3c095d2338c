import TransactionApproval

/// The hosts of one push service, which the configuration allows.
package struct PushService: Sendable {
    private static let wildcard = "*."

    /// A host as in `WebPushSubscription.host`; `*.` at the start matches one or more labels.
    private let pattern: String

    /// Nil for any other text: it would match no host, or any.
    init?(_ pattern: String) {
        let host = pattern.dropFirst(pattern.hasPrefix(Self.wildcard) ? Self.wildcard.count : 0)
        guard ServerOrigin("https://" + host) != nil else { return nil }
        self.pattern = pattern
    }

    /// Both have one spelling, so texts are compared.
    func takes(_ host: String) -> Bool {
        pattern.hasPrefix(Self.wildcard) ? host.hasSuffix(pattern.dropFirst()) : host == pattern
    }
}
