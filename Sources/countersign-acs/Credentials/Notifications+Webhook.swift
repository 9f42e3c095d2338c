import BankIntegration
import CommandLineTool
import Cryptography
import HTTPClient

extension Configuration.Notifications {
    /// The receiver, with the keys of signatures.
    func webhook() throws(CommandFailure) -> Webhook {
        if let authorities {
            let member = "notifications.authorities"
            _ = try CertificateFile(authorities, namedBy: member).certificates()
        }
        let client: HTTPClient
        do throws(HTTPFailure) {
            client = try .forDeliveries(trusting: authorities)
        } catch {
            throw CommandFailure(
                .malformedInput,
                "the member notifications.authorities cannot be used"
            )
        }
        guard client.takes(url) else {
            throw CommandFailure(
                .malformedInput,
                "the member notifications.url must be an https:// URL",
                hint: "http:// is accepted only for this machine"
            )
        }
        var keys: [WebhookSecret] = []
        for path in secrets { keys.append(try secret(in: path)) }
        return Webhook(url, signingWith: keys, over: client)
    }

    private func secret(in path: String) throws(CommandFailure) -> WebhookSecret {
        let file = SecretFile(
            path: path,
            content: "webhook secret",
            hint: "create one: (umask 077; echo \"whsec_$(openssl rand -base64 32)\" >FILE)"
        )
        let line = try file.text()
        do throws(WebhookSecret.Failure) {
            return try line.withBytes { line throws(WebhookSecret.Failure) in
                try WebhookSecret(text: line)
            }
        } catch .system(let failure) {
            throw CommandFailure(failure)
        } catch {
            throw file.malformed
        }
    }
}
