import Cryptography
package import OneTimePassword
package import TransactionApproval

/// A token that was made elsewhere, as whoever made it describes it.
package struct Token: Sendable {
    /// The farthest that a counter may be on the day it comes in; nobody presses a button so often.
    package static let maximumCounter = Counter(1 << 40)

    package let serial: DeviceName
    package let suite: TokenSuite
    package let secret: Secret
    /// The first that was not used.
    package let counter: Counter

    /// Nil where the counter cannot be that of a token.
    package init?(serial: DeviceName, suite: TokenSuite, secret: Secret, counter: Counter) {
        guard counter <= Self.maximumCounter else { return nil }
        self.serial = serial
        self.suite = suite
        self.secret = secret
        self.counter = counter
    }
}

/// A token that is sealed for the store, as the device that it is to be.
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
        let credential = try onThisMachine { () throws(CryptographyFailure) in
            try CredentialID.random()
        }
        // What is loaded together lies together in the tables: else each row would be a page.
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
