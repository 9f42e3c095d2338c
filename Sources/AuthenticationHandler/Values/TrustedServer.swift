import Cryptography
import TransactionApproval

/// A verifier that the app trusts, by keys that it knows in advance.
///
/// The keys come with the app or from a configuration file, never from a QR code.
public struct TrustedServer: Sendable {
    let origin: ServerOrigin
    let agreementKey: P256.PublicKey
    let signingKey: P256.PublicKey
    let nextSigningKey: P256.PublicKey?

    /// Takes `https://host`, and the keys as the verifier prints them: base64url of the
    /// uncompressed point.
    ///
    /// An app that is released during a key rotation contains both signing keys. Installed apps
    /// receive the next key from the verifier.
    public init(
        origin: String,
        agreementKey: String,
        signingKey: String,
        nextSigningKey: String? = nil
    ) throws(AuthenticationError) {
        guard let origin = ServerOrigin(origin) else {
            throw AuthenticationError(.invalidArgument, cause: "a server's origin")
        }
        self.origin = origin
        self.agreementKey = try P256.PublicKey(base64URL: agreementKey)
        self.signingKey = try P256.PublicKey(base64URL: signingKey)
        self.nextSigningKey = try nextSigningKey.map { key throws(AuthenticationError) in
            try P256.PublicKey(base64URL: key)
        }
    }

    init(
        origin: ServerOrigin,
        agreementKey: P256.PublicKey,
        signingKey: P256.PublicKey,
        nextSigningKey: P256.PublicKey? = nil
    ) {
        self.origin = origin
        self.agreementKey = agreementKey
        self.signingKey = signingKey
        self.nextSigningKey = nextSigningKey
    }
}

extension TrustedServer {
    /// `https://host`, for display.
    public var originText: String { origin.text }

    /// The fingerprint of the agreement key, which people compare with the one from the bank.
    public var fingerprint: String {
        get throws(AuthenticationError) {
            try translatingSystemFailure(ServerKeyID(of: agreementKey)).description
        }
    }
}

extension P256.PublicKey {
    /// All errors in a key are reported alike: `try?`.
    fileprivate init(base64URL text: String) throws(AuthenticationError) {
        guard
            let point = try? TextEncoding.base64URL.decode(text),
            let key = try? P256.PublicKey(uncompressedPoint: point.span)
        else { throw AuthenticationError(.invalidArgument, cause: "a server's key") }
        self = key
    }
}
