import Cryptography
import TransactionApproval

/// A verifier that the app trusts, by keys that it knows in advance.
///
/// The keys come with the app or from a configuration file, never from a QR code.
public struct TrustedServer: Sendable {
    let origin: ServerOrigin
    let agreementKey: P256.PublicKey
    let nextAgreementKey: P256.PublicKey?
    let signingKey: P256.PublicKey
    let nextSigningKey: P256.PublicKey?

    /// Takes `https://host`, and the keys as the verifier prints them: base64url of the
    /// uncompressed point.
    ///
    /// An app that is released during a key rotation contains both keys. Accounts that exist
    /// already receive the next key from the verifier.
    public init(
        origin: String,
        agreementKey: String,
        nextAgreementKey: String? = nil,
        signingKey: String,
        nextSigningKey: String? = nil
    ) throws(AuthenticationError) {
        guard let origin = ServerOrigin(origin) else {
            throw AuthenticationError(.invalidArgument, cause: "a server's origin")
        }
        self.origin = origin
        self.agreementKey = try P256.PublicKey(base64URL: agreementKey)
        self.nextAgreementKey = try nextAgreementKey.map(P256.PublicKey.init(base64URL:))
        self.signingKey = try P256.PublicKey(base64URL: signingKey)
        self.nextSigningKey = try nextSigningKey.map(P256.PublicKey.init(base64URL:))
    }

    init(
        origin: ServerOrigin,
        agreementKey: P256.PublicKey,
        nextAgreementKey: P256.PublicKey? = nil,
        signingKey: P256.PublicKey,
        nextSigningKey: P256.PublicKey? = nil
    ) {
        self.origin = origin
        self.agreementKey = agreementKey
        self.nextAgreementKey = nextAgreementKey
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
            try translatingSystemFailure(ServerKeyID(of: activationKey)).description
        }
    }

    /// The key for an activation: the verifier accepts the next key before it drops the current one.
    var activationKey: P256.PublicKey { nextAgreementKey ?? agreementKey }

    /// The same server with only the agreement key of this name; nil if there is none.
    func selecting(_ name: ServerKeyID) throws(AuthenticationError) -> TrustedServer? {
        for key in [agreementKey, nextAgreementKey].compactMap({ $0 })
        where try translatingSystemFailure(ServerKeyID(of: key)) == name {
            return TrustedServer(
                origin: origin,
                agreementKey: key,
                signingKey: signingKey,
                nextSigningKey: nextSigningKey
            )
        }
        return nil
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
