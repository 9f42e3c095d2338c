import TransactionApproval
import Verification

extension Configuration {
    /// A URL of the bank that receives events.
    struct Webhook: Equatable, Sendable {
        enum Events: String, CaseIterable {
            /// Changes of accounts, devices and transactions.
            case accounts
            /// Devices to notify, for a bank that sends its own push messages.
            case pushes
        }

        struct Purpose: Hashable, Sendable {
            let enterprise: EnterpriseID
            let events: Events
        }

        let purpose: Purpose
        let url: String
        /// The files of one or two secrets.
        let secrets: [String]
        /// A file; nil for the system's trust store.
        let caCertificates: String?
    }

    /// Push messages to devices.
    struct Push: Equatable, Sendable {
        struct FCM: Equatable, Sendable {
            let serviceAccount: String
            /// Nil for Google's.
            let endpoint: String?
        }

        let perMinute: Int
        let fcm: FCM?
    }
}

extension Configuration.Webhook {
    init(_ section: ConfigurationSection) throws(ConfigurationFault) {
        guard let enterprise = EnterpriseID(try section.text("enterprise")) else {
            throw section.fault("enterprise", "is not the name of an enterprise")
        }
        purpose = Purpose(
            enterprise: enterprise,
            events: try section.required(word: "events")
        )
        url = try section.text("url")
        secrets = try section.files("secrets")
        guard (1...2).contains(secrets.count) else {
            throw section.fault("secrets", "must name one or two files")
        }
        caCertificates = try section.optionalFile("caCertificates")
    }
}

extension Configuration.Push {
    init(_ section: ConfigurationSection?) throws(ConfigurationFault) {
        perMinute = try section?.number("perMinute") ?? PushRateLimit.default
        fcm = try section?.optionalSection("fcm").map { fcm throws(ConfigurationFault) in
            FCM(
                serviceAccount: try fcm.file("serviceAccount"),
                endpoint: try fcm.optionalText("endpoint")
            )
        }
    }
}
