/// A member of the configuration, by the names that lead to it: `server.tls.key`.
struct ConfigurationMember: Hashable, Sendable {
    let path: String

    /// Nil where there is no such member.
    init?(_ path: String) {
        guard Self.texts.contains(path) || Self.others.contains(path) else { return nil }
        self.path = path
    }

    private init(known path: String) {
        self.path = path
    }

    static var all: [ConfigurationMember] {
        texts.union(others).sorted().map { ConfigurationMember(known: $0) }
    }

    var isText: Bool { Self.texts.contains(path) }

    /// Whether it is one of many of its name, in an array that is set as a whole.
    var isOfElement: Bool { path.hasPrefix("webhooks.") }

    private static let texts: Set = [
        "store.sqlite", "store.postgresql", "journal", "encryptionKeys", "agreementKey",
        "responseKey", "nextResponseKey", "checkpointKey", "server.origin",
        "server.tls.certificate",
        "server.tls.key", "operation.tls.certificate", "operation.tls.key", "log.level",
        "webhooks.enterprise", "webhooks.tells", "webhooks.url", "webhooks.authorities",
        "push.fcm.serviceAccount", "push.fcm.endpoint",
    ]
    private static let others: Set = [
        "store", "server", "server.listen", "server.tls", "server.connections",
        "server.connectionsPerAddress", "server.drainSeconds", "operation", "operation.listen",
        "operation.tls", "log", "webhooks", "webhooks.secrets", "push", "push.perMinute",
        "push.fcm",
    ]
}
