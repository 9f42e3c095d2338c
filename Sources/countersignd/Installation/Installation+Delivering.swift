import CommandLineTool
import Cryptography
import HTTPClient
import OneTimePassword
import Verification
import VerifierServer

extension Installation {
    /// Whom the configuration has told of what.
    func addresses() throws(CommandFailure) -> Addresses {
        var addresses = Addresses()
        for webhook in configuration.webhooks {
            let purpose = webhook.purpose
            switch purpose.topic {
            case .events: addresses.events[purpose.enterprise] = try endpoint(of: webhook)
            case .pushes: addresses.pushers[purpose.enterprise] = try endpoint(of: webhook)
            }
        }
        if let fcm = configuration.push.fcm { addresses.fcm = try sender(by: fcm) }
        return addresses
    }

    private func endpoint(of webhook: Configuration.Webhook) throws(CommandFailure) -> Webhook {
        let client = try client(trusting: webhook.authorities)
        try check(webhook.url, of: "webhooks.url", for: client)
        var secrets: [WebhookSecret] = []
        for path in webhook.secrets { secrets.append(try secret(in: path)) }
        return Webhook(webhook.url, signingWith: secrets, over: client)
    }

    private func secret(in path: String) throws(CommandFailure) -> WebhookSecret {
        let text = try onKeyFile(path) { () throws(KeyFile.Failure) in
            try KeyFile.text(in: .file(path))
        }
        do throws(WebhookSecret.Failure) {
            return try text.withBytes { text throws(WebhookSecret.Failure) in
                try WebhookSecret(text: text)
            }
        } catch {
            throw CommandFailure(error, ofFileAt: path)
        }
    }

    private func sender(by fcm: Configuration.Push.FCM) throws(CommandFailure) -> FCM {
        let path = fcm.serviceAccount
        let text = try onKeyFile(path) { () throws(KeyFile.Failure) in
            try KeyFile.text(in: .file(path))
        }
        let account: ServiceAccount
        do throws(ServiceAccount.Failure) {
            account = try ServiceAccount(reading: text.withBytes { $0.array })
        } catch {
            throw CommandFailure(error, ofFileAt: path)
        }
        let client = try client()
        try check(account.tokenURL, of: "token_uri of \(path)", for: client)
        let endpoint = fcm.endpoint ?? FCM.standardEndpoint
        try check(endpoint, of: "push.fcm.endpoint", for: client)
        return FCM(account, at: endpoint, over: client)
    }

    /// Whoever does not answer in that time is told again.
    private static let requestLimit = Duration.seconds(10)

    private func client(
        trusting authorities: String? = nil
    ) throws(CommandFailure) -> HTTPClient {
        var settings = HTTPClient.Configuration()
        settings.authorities = authorities
        settings.allowsPlainLoopback = true
        settings.requestLimit = Self.requestLimit
        settings.longestResponse = 64 << 10
        do throws(HTTPFailure) {
            return try HTTPClient(settings)
        } catch {
            throw CommandFailure(.internalFailure, "libcurl cannot be used")
        }
    }

    private func check(
        _ url: String,
        of member: String,
        for client: HTTPClient
    ) throws(CommandFailure) {
        guard !client.takes(url) else { return }
        throw CommandFailure(
            .malformedInput,
            "the member \(member) is no https:// address",
            hint: "plain http:// is for 127.0.0.1 and localhost alone"
        )
    }
}

extension CommandFailure {
    fileprivate init(_ failure: WebhookSecret.Failure, ofFileAt path: String) {
        switch failure {
        case .malformed:
            self.init(
                .malformedInput,
                "\(path) holds no secret of a webhook",
                hint: "(umask 077; echo \"whsec_$(openssl rand -base64 32)\" >FILE) makes one"
            )
        case .machine(let failure): self.init(failure)
        }
    }

    fileprivate init(_ failure: ServiceAccount.Failure, ofFileAt path: String) {
        switch failure {
        case .notJSON: self.init(.malformedInput, "\(path) is no JSON")
        case .member(let name):
            self.init(
                .malformedInput,
                "\(path): the member \(name) is missing, or not what it is in a service account",
                hint: "take the file as the console of Google Cloud gives it out"
            )
        case .machine(let failure): self.init(SystemFailure(failure))
        }
    }
}
