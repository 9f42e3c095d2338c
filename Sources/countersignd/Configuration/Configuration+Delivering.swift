import CommandLineTool
import TransactionApproval
import Verification

extension Configuration {
    /// A program of a bank that is told things.
    struct Webhook: Equatable, Sendable {
        enum Topic: String {
            case events, pushes
        }

        struct Purpose: Hashable, Sendable {
            let enterprise: EnterpriseID
            let topic: Topic
        }

        let purpose: Purpose
        let url: String
        /// Files.
        let secrets: [String]
        /// A file; nil for those whom the system trusts.
        let authorities: String?
    }

    /// How devices are woken.
    struct Push: Equatable, Sendable {
        struct FCM: Equatable, Sendable {
            let serviceAccount: String
            /// Nil for Google's own.
            let endpoint: String?
        }

        let perMinute: Int
        let fcm: FCM?
    }
}

/// Makes a path of a member, by its name.
typealias PathResolution = (String, String) throws(CommandFailure) -> String

extension Configuration.Webhook {
    init(
        _ member: ConfigurationDocument.Webhook,
        in path: String,
        resolving resolved: PathResolution
    ) throws(CommandFailure) {
        guard let enterprise = EnterpriseID(member.enterprise) else {
            throw .malformed(path, "the member webhooks.enterprise is no name of an enterprise")
        }
        guard let topic = Topic(rawValue: member.tells) else {
            throw .malformed(path, "the member webhooks.tells is neither events nor pushes")
        }
        guard (1...2).contains(member.secrets.count) else {
            throw .malformed(path, "the member webhooks.secrets must name one file, or two")
        }
        purpose = Purpose(enterprise: enterprise, topic: topic)
        url = member.url
        secrets = try member.secrets.map { file throws(CommandFailure) in
            try resolved(file, "webhooks.secrets")
        }
        authorities = try member.authorities.map { file throws(CommandFailure) in
            try resolved(file, "webhooks.authorities")
        }
    }
}

extension Configuration.Push {
    private static let counts = 1...1_000_000

    init(
        _ member: ConfigurationDocument.Push?,
        in path: String,
        resolving resolved: PathResolution
    ) throws(CommandFailure) {
        perMinute = member?.perMinute ?? PushRateLimit.default
        guard Self.counts.contains(perMinute) else {
            throw .malformed(path, "the member push.perMinute is not from 1 to 1000000")
        }
        fcm = try member?.fcm.map { fcm throws(CommandFailure) in
            FCM(
                serviceAccount: try resolved(fcm.serviceAccount, "push.fcm.serviceAccount"),
                endpoint: fcm.endpoint
            )
        }
    }
}
