import Cryptography
import HardwareKeys
import TransactionApproval
import Verification

/// The APIs of one node, with their keys.
struct APIs {
    let devices: DeviceAPI
    let bank: BankAPI
    let web: WebPages?

    private typealias Failure = VerifierServer.Failure

    init(
        _ configuration: VerifierServer.Configuration,
        _ verifier: Verifier,
        _ content: WebContent?,
        _ webPush: WebPush?,
        _ metrics: Metrics
    ) throws(VerifierServer.Failure) {
        guard let origin = ServerOrigin(configuration.origin) else {
            throw Failure(.invalid(member: "origin", rule: "https://HOST or https://HOST:PORT"))
        }
        let key = try configuration.privateKey(configuration.keys.response, for: .signing)
        let next = try configuration.keys.nextResponse.map { next throws(VerifierServer.Failure) in
            try configuration.privateKey(next, for: .signing)
        }
        do throws(CryptographyFailure) {
            devices = try DeviceAPI(
                verifier,
                at: origin,
                signingWith: key,
                next: next?.publicKey,
                webPush: webPush,
                metrics: metrics
            )
            bank = try BankAPI(
                verifier,
                at: origin,
                servesWebDevices: content != nil,
                secondPerson: configuration.secondPerson,
                metrics: metrics
            )
            web = content.map { content in
                let keys = WebVerifier(
                    verifier,
                    at: origin,
                    signingWith: key.publicKey,
                    pushingAs: webPush?.publicKey
                )
                // On a person's own machine, other programs serve plain HTTP at the same host.
                let requiresTLS = configuration.api.tls != nil && !origin.isLoopback
                return WebPages(content, of: keys, requiresTLS: requiresTLS)
            }
        } catch {
            throw Failure(.system(SystemFailure(error)))
        }
    }
}
