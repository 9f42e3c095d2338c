import Cryptography
import StrictJSON
import TransactionApproval
import Verification

/// The origin and the public keys of a verifier, from which the page starts.
///
/// The browser trusts them as it trusts the page: both come from the same origin over TLS. An active
/// device gets later keys with its status.
struct WebVerifier: Sendable {
    let json: [UInt8]

    private struct Content: Codable {
        let origin: String
        let agreementKey: P256.PublicKey
        let signingKey: P256.PublicKey
        /// For subscriptions at push services; nil if browsers get no pushes.
        let pushKey: P256.PublicKey?
    }

    init(
        _ verifier: Verifier,
        at origin: ServerOrigin,
        signingWith responseKey: P256.PublicKey,
        pushingAs pushKey: P256.PublicKey?
    ) {
        let content = Content(
            origin: origin.text,
            agreementKey: verifier.agreementPublicKey,
            signingKey: responseKey,
            pushKey: pushKey
        )
        // Only times can be unwritable, and this content has none.
        json = (try? StrictJSON.encode(content)) ?? []
    }
}
