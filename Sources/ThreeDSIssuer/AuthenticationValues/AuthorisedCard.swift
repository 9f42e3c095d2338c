import Cryptography
import Storage
import ThreeDSProtocol

/// The card of an authorisation, as a host of the issuer knows it.
///
/// The memory of a number is wiped when it is freed: see `WipingAllocator`.
enum AuthorisedCard: Sendable {
    case reference(CardReference)
    case number(String)
}

extension AuthorisedCard: CustomStringConvertible, CustomReflectable {
    var description: String { "<card>" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension CardTable {
    /// Nil for a card that the issuer does not have.
    func card(_ authorised: AuthorisedCard) throws(StoreFailure) -> Card? {
        switch authorised {
        case .reference(let reference): return try card(reference)?.card
        case .number(let digits):
            let digest = try orStoreFailure(fingerprint(ofNumber: Array(digits.utf8)))
            return try digest.flatMap { digest throws(StoreFailure) in
                try card(withDigest: digest)?.card
            }
        }
    }

    /// Nil for digits that are not a number of a card.
    private func fingerprint(ofNumber digits: [UInt8]) throws(CryptographyFailure) -> Digest? {
        guard let number = try CardNumber(digits.span) else { return nil }
        return try number.fingerprint(secrets.cardKey()).digest
    }
}
