import Cryptography
import FailureTranslation
import HTTPClient
import HardwareKeys
import Sealing

private typealias Failure = VerifierServer.Failure

extension WebPush {
    init(
        _ configuration: VerifierServer.Configuration.Push.Web
    ) throws(VerifierServer.Failure) {
        let services = try Self.services(configuration.services)
        let client = try Addresses.client(
            trusting: configuration.authorities,
            of: "push.web.caCertificates"
        )
        let contact = configuration.contact
        guard contact.hasPrefix("https://"), client.takes(contact) else {
            throw Failure(.invalid(member: "push.web.contact", rule: "an https:// URL"))
        }
        let key = try translating(KeyFile.privateKey(in: .file(configuration.key))) {
            Failure(.keyFile($0, path: configuration.key))
        }
        self.init(VAPID(key, contact: contact), to: services, over: client)
    }

    private static func services(
        _ patterns: [String]
    ) throws(VerifierServer.Failure) -> [PushService] {
        let member = "push.web.services"
        guard !patterns.isEmpty else {
            throw Failure(.invalid(member: member, rule: "a list of at least one host"))
        }
        return try patterns.map { pattern throws(VerifierServer.Failure) in
            guard let service = PushService(pattern) else {
                let rule = "hosts such as push.example or *.push.example, not \(pattern)"
                throw Failure(.invalid(member: member, rule: rule))
            }
            return service
        }
    }
}

extension VerifierServer.Configuration {
    /// Browsers and push services get the key of push messages, and it changes for its own reasons.
    func checkIsForPushesOnly(_ key: P256.PublicKey) throws(VerifierServer.Failure) {
        for (member, place, use) in [
            ("agreementKey", keys.agreement, .agreement),
            ("nextAgreementKey", keys.nextAgreement, .agreement),
            ("responseKey", keys.response, .signing),
            ("nextResponseKey", keys.nextResponse, .signing),
            ("checkpointKey", keys.checkpoint, .signing),
        ] as [(String, String?, SecurityModule.KeyUse)] {
            // `try?`: a key that cannot be used is reported where it is used.
            guard let place, let other = try? privateKey(place, for: use) else { continue }
            guard other.publicKey != key else {
                throw Failure(.invalid(member: "push.web.key", rule: "another key than \(member)"))
            }
        }
    }
}
