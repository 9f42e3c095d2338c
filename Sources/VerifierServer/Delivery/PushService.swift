import TransactionApproval

/// The hosts of one push service, which the configuration allows.
package struct PushService: Sendable {
    private static let wildcard = "*."

    /// A host as in `WebPushSubscription.host`; `*.` at the start matches one or more labels.
    private let pattern: String

    /// Nil for any other text: it would match no host, or those of strangers, as `*.example` would.
    init?(_ pattern: String) {
        let isWildcard = pattern.hasPrefix(Self.wildcard)
        let host = pattern.dropFirst(isWildcard ? Self.wildcard.count : 0)
        guard ServerOrigin("https://" + host) != nil else { return nil }
        guard !isWildcard || host.contains(".") else { return nil }
        self.pattern = pattern
    }

    /// Both have one spelling, so texts are compared.
    func takes(_ host: String) -> Bool {
        pattern.hasPrefix(Self.wildcard) ? host.hasSuffix(pattern.dropFirst()) : host == pattern
    }
}
