import BankIntegration
import Cryptography
import FailureTranslation
import HTTPClient
import OneTimePassword
import Sealing
import TransactionApproval
import Verification

extension VerifierServer.Configuration {
    /// The receivers of events and pushes, with their secrets.
    package func addresses() throws(VerifierServer.Failure) -> Addresses {
        let addresses = try Addresses(webhooks, push)
        if let key = addresses.webPush?.publicKey { try checkIsForPushesOnly(key) }
        return addresses
    }
}

extension Addresses {
    private typealias Failure = VerifierServer.Failure

    /// Reads the secrets of all webhooks and the service account.
    fileprivate init(
        _ webhooks: [VerifierServer.Configuration.Webhook],
        _ push: VerifierServer.Configuration.Push
    ) throws(VerifierServer.Failure) {
        self.init()
        for webhook in webhooks {
            guard let enterprise = EnterpriseID(webhook.enterprise) else {
                throw Failure(
                    .invalid(member: "webhooks.enterprise", rule: "the name of an enterprise")
                )
            }
            let address = try Webhook(webhook)
            let isFirst =
                switch webhook.topic {
                case .events: events.updateValue(address, forKey: enterprise) == nil
                case .pushes: pushers.updateValue(address, forKey: enterprise) == nil
                }
            guard isFirst else {
                throw Failure(
                    .invalid(member: "webhooks", rule: "one for each enterprise and topic")
                )
            }
        }
        fcm = try push.fcm.map { fcm throws(VerifierServer.Failure) in try FCM(fcm) }
        webPush = try push.web.map { web throws(VerifierServer.Failure) in try WebPush(web) }
    }

    /// libcurl would report an unusable file of authorities with the first delivery only.
    static func client(
        trusting authorities: String?,
        of member: String
    ) throws(VerifierServer.Failure) -> HTTPClient {
        if let authorities,
            CertificateExpiry(of: CertificateFile(.authorities, at: authorities)) == nil
        {
            let rule = "a readable file of CA certificates in PEM"
            throw Failure(.invalid(member: member, rule: rule))
        }
        return try client(trusting: authorities)
    }

    fileprivate static func client(
        trusting authorities: String? = nil
    ) throws(VerifierServer.Failure) -> HTTPClient {
        try translating(HTTPClient.forDeliveries(trusting: authorities)) { (_: HTTPFailure) in
            Failure(.noHTTPClient)
        }
    }

    fileprivate static func check(
        _ url: String,
        of member: String,
        for client: HTTPClient
    ) throws(VerifierServer.Failure) {
        guard !client.takes(url) else { return }
        throw Failure(
            .invalid(member: member, rule: "an https:// URL (http:// only on this machine)")
        )
    }
}

extension Webhook {
    fileprivate init(
        _ configuration: VerifierServer.Configuration.Webhook
    ) throws(VerifierServer.Failure) {
        let client = try Addresses.client(
            trusting: configuration.authorities,
            of: "webhooks.caCertificates"
        )
        try Addresses.check(configuration.url, of: "webhooks.url", for: client)
        guard (1...2).contains(configuration.secrets.count) else {
            throw VerifierServer.Failure(
                .invalid(member: "webhooks.secrets", rule: "a list of one or two files")
            )
        }
        var secrets: [WebhookSecret] = []
        for path in configuration.secrets { secrets.append(try .read(from: path)) }
        self.init(configuration.url, signingWith: secrets, over: client)
    }
}

extension WebhookSecret {
    fileprivate static func read(
        from path: String
    ) throws(VerifierServer.Failure) -> WebhookSecret {
        let text = try privateText(in: path)
        return try translating(
            text.withBytes { text throws(WebhookSecret.Failure) in try WebhookSecret(text: text) }
        ) { VerifierServer.Failure(.webhookSecret($0, path: path)) }
    }
}

extension FCM {
    fileprivate init(
        _ configuration: VerifierServer.Configuration.Push.FCM
    ) throws(VerifierServer.Failure) {
        let path = configuration.serviceAccount
        let text = try privateText(in: path)
        let account = try translating(ServiceAccount(reading: text.withBytes { $0.array })) {
            VerifierServer.Failure(.serviceAccount($0, path: path))
        }
        let client = try Addresses.client()
        let endpoint = configuration.endpoint ?? FCM.defaultEndpoint
        try Addresses.check(account.tokenURL, of: "token_uri of \(path)", for: client)
        try Addresses.check(endpoint, of: "push.fcm.endpoint", for: client)
        self.init(account, at: endpoint, over: client)
    }
}

private func privateText(in path: String) throws(VerifierServer.Failure) -> SecureBytes {
    try translating(KeyFile.text(in: .file(path))) {
        VerifierServer.Failure(.keyFile($0, path: path))
    }
}
