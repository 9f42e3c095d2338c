import Cryptography
package import OneTimePassword
import Sealing
package import TransactionApproval

/// A token from another manufacturer, as its document describes it.
package struct Token: Sendable {
    /// The maximum counter of an imported token; no button is pressed that often.
    package static let maximumCounter = Counter(1 << 40)

    package let serial: DeviceName
    package let suite: TokenSuite
    package let secret: Secret
    /// The first unused counter.
    package let counter: Counter

    /// Nil if the counter is too large.
    package init?(serial: DeviceName, suite: TokenSuite, secret: Secret, counter: Counter) {
        guard counter <= Self.maximumCounter else { return nil }
        self.serial = serial
        self.suite = suite
        self.secret = secret
        self.counter = counter
    }
}

/// A token with its sealed secret and its future device id.
struct SealedToken: Sendable {
    let serial: DeviceName
    let suite: TokenSuite
    let counter: Counter
    let device: DeviceID
    let credential: CredentialContext
    let secret: SealedValue
}

extension Verifier {
    func seal(_ token: Token, for account: AccountReference) throws(Failure) -> SealedToken {
        let credential = try translatingSystemFailure(CredentialID.random(), to: Failure.system)
        // Rows that are loaded together get neighbouring keys, so that they share pages.
        let device = DeviceID(checked: try newOrderedName())
        let context = CredentialContext(
            enterprise: account.enterprise,
            id: credential,
            kind: Device.Kind.token(token.suite).typedCredential,
            generation: .first
        )
        let owner = SealOwner.tokenSecret(of: context, on: device, for: account, suite: token.suite)
        return SealedToken(
            serial: token.serial,
            suite: token.suite,
            counter: token.counter,
            device: device,
            credential: context,
            secret: try token.secret.withBytes { secret throws(Failure) in
                try seal(secret, for: owner)
            }
        )
    }
}
