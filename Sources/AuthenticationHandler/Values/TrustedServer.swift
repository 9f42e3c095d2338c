import Cryptography
import TransactionApproval

/// A verifier that the app trusts, by keys that it knows beforehand.
///
/// They come with the app, or from a file that somebody put there on purpose: never from a QR code,
/// which anybody can print.
public struct TrustedServer: Sendable {
    let origin: ServerOrigin
    let agreementKey: P256.PublicKey
    let signingKey: P256.PublicKey

    /// Takes `https://host`, and both keys as the verifier prints them: base64url of the
    /// uncompressed point.
    public init(
        origin: String,
        agreementKey: String,
        signingKey: String
    ) throws(AuthenticationError) {
        guard
            let origin = ServerOrigin(origin),
            let agreementKey = P256.PublicKey(base64URL: agreementKey),
            let signingKey = P256.PublicKey(base64URL: signingKey)
        else { throw AuthenticationError(.invalidArgument, detail: "a server's origin or key") }
        self.init(origin: origin, agreementKey: agreementKey, signingKey: signingKey)
    }

    init(origin: ServerOrigin, agreementKey: P256.PublicKey, signingKey: P256.PublicKey) {
        self.origin = origin
        self.agreementKey = agreementKey
        self.signingKey = signingKey
    }
}

extension P256.PublicKey {
    /// What is wrong with a text that is no key does not matter: `try?`.
    fileprivate init?(base64URL text: String) {
        guard
            let point = try? TextEncoding.base64URL.decode(text),
            let key = try? P256.PublicKey(uncompressedPoint: point.span)
        else { return nil }
        self = key
    }
}
