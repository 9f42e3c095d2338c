package import Cryptography
package import ThreeDSProtocol
import Transactions

/// A card as the ACS knows it, which never includes its number.
package struct Card: Equatable, Sendable {
    /// The name of the card in commands, records and calls of the issuer.
    package let reference: CardReference
    /// The keyed hash of the number, by which the store finds the card of an AReq.
    package let digest: Digest
    package let lastFour: String
    /// Its person gets the requests at the verifier.
    package let account: CardAccount
    package let isBlocked: Bool

    /// A card that is added, and not blocked.
    package init(
        _ fingerprint: CardFingerprint,
        reference: CardReference,
        account: CardAccount
    ) {
        self.reference = reference
        digest = fingerprint.digest
        lastFour = fingerprint.lastFour
        self.account = account
        isBlocked = false
    }

    /// A card from a row of the store; nil for a digest or digits of another length.
    package init?(
        reference: CardReference,
        digest: Digest,
        lastFour: String,
        account: CardAccount,
        isBlocked: Bool
    ) {
        guard digest.byteCount == HashAlgorithm.sha256.byteCount, lastFour.utf8.count == 4,
            lastFour.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        self.reference = reference
        self.digest = digest
        self.lastFour = lastFour
        self.account = account
        self.isBlocked = isBlocked
    }

    private init(_ card: Card, isBlocked: Bool) {
        (reference, digest, lastFour) = (card.reference, card.digest, card.lastFour)
        (account, self.isBlocked) = (card.account, isBlocked)
    }

    /// The same card, blocked or not.
    package func blocked(_ isBlocked: Bool) -> Card { Card(self, isBlocked: isBlocked) }
}

package struct CardReference: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}
