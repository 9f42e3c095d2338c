import Cryptography
import StrictJSON
import TransactionApproval
import Verification

/// The origin and the public keys of a verifier, from which the page starts.
///
/// The browser trusts them as it trusts the page: both come from the same origin over TLS.
struct WebVerifier: Sendable {
    let json: [UInt8]

    private struct Content: Codable {
        let origin: String
        let agreementKey: P256.PublicKey
        let agreementKeyName: ServerKeyID
        let nextAgreementKey: P256.PublicKey?
        let nextAgreementKeyName: ServerKeyID?
        let signingKey: P256.PublicKey
        let nextSigningKey: P256.PublicKey?
        /// For subscriptions at push services; nil if browsers get no pushes.
        let pushKey: P256.PublicKey?
    }

    init(
        _ verifier: Verifier,
        at origin: ServerOrigin,
        signingWith responseKey: P256.PublicKey,
        next nextResponseKey: P256.PublicKey?,
        pushingAs pushKey: P256.PublicKey?
    ) throws(CryptographyFailure) {
        let next = verifier.nextAgreementPublicKey
        let content = Content(
            origin: origin.text,
            agreementKey: verifier.agreementPublicKey,
            agreementKeyName: try ServerKeyID(of: verifier.agreementPublicKey),
            nextAgreementKey: next,
            nextAgreementKeyName: try next.map { key throws(CryptographyFailure) in
                try ServerKeyID(of: key)
            },
            signingKey: responseKey,
            nextSigningKey: nextResponseKey,
            pushKey: pushKey
        )
        // Only times can be unwritable, and this content has none.
        json = (try? StrictJSON.encode(content)) ?? []
    }
}
