package import Cryptography
package import Transactions

/// The verdict about a value that an authorisation host submits, by its name in the response.
package enum AuthenticationValueVerdict: String, CaseIterable, Codable, Sendable {
    /// The store counts this use before the host gets the verdict.
    case valid
    case wrongCard
    /// The issuer has blocked the card meanwhile; the value is not used.
    case blockedCard
    /// More than was authenticated, or in another currency.
    case amountExceeded
    case alreadyUsed
    case expired
    /// This ACS did not make the value for this `dsTransID`.
    case unknown

    /// Whether the ACS made the value for the card.
    var isOfCard: Bool {
        switch self {
        case .valid, .blockedCard, .amountExceeded, .alreadyUsed, .expired: true
        case .wrongCard, .unknown: false
        }
    }

    /// A preorder is authorised weeks after its authentication.
    private static let lifetime = Duration.seconds(90 * 86_400)
}

/// The call of an authorisation host, apart from the `dsTransID` by which the store finds a row.
package struct AuthorisedPurchase: Sendable {
    let value: AuthenticationValue
    /// Nil if the host named a card that the ACS does not know.
    let card: Digest?
    let isBlocked: Bool
    let amount: Amount

    package init(value: AuthenticationValue, card: Digest?, isBlocked: Bool, amount: Amount) {
        self.value = value
        self.card = card
        self.isBlocked = isBlocked
        self.amount = amount
    }
}

/// A row of the store: a value that was sent, and its uses.
package struct IssuedAuthenticationValue: Sendable {
    let purchase: AuthenticatedPurchase
    let basis: AuthenticationBasis
    let made: Timestamp
    let isUsed: Bool

    package init(
        of purchase: AuthenticatedPurchase,
        by basis: AuthenticationBasis,
        made: Timestamp,
        isUsed: Bool
    ) {
        self.purchase = purchase
        self.basis = basis
        self.made = made
        self.isUsed = isUsed
    }

    /// For a call without a row, which then takes as long as one with a row.
    fileprivate static func decoy(for call: AuthorisedPurchase) -> IssuedAuthenticationValue {
        let id = "00000000-0000-0000-0000-000000000000"
        let zeros = [UInt8](repeating: 0, count: HashAlgorithm.sha256.byteCount)
        var purchase = AuthenticatedPurchase(
            card: Digest(copying: zeros.span),
            acsTransID: id,
            dsTransID: id
        )
        purchase.acquirerBIN = "000000"
        purchase.acquirerMerchantID = "000000000000000"
        purchase.merchantName = "000000000000000000000000"
        purchase.amount = call.amount
        purchase.purchaseDate = "20260101000000"
        let transaction = TransactionID(checked: "00000000000000000000000000000000")
        return IssuedAuthenticationValue(
            of: purchase,
            by: .approval(transaction, by: .userPIN),
            made: .earliest,
            isUsed: false
        )
    }
}

extension AuthenticationValueVerdict {
    /// Compares everything in each case, so the time does not depend on the verdict.
    ///
    /// `key` is the one of the row, or the current one without a row.
    package init(
        about call: AuthorisedPurchase,
        _ row: IssuedAuthenticationValue?,
        under key: borrowing AuthenticationValue.Key,
        at now: Timestamp
    ) throws(CryptographyFailure) {
        let issued = row ?? .decoy(for: call)
        let purchase = issued.purchase
        let made = try AuthenticationValue(of: purchase, by: issued.basis, under: key)
        let isMade = made == call.value
        let isKnown = row != nil && isMade
        // A digest compares in constant time. Without a card, it compares with itself.
        let isSameDigest = purchase.card == call.card ?? purchase.card
        let isSameCard = call.card != nil && isSameDigest
        let isExpired = now.elapsed(since: issued.made) >= Self.lifetime
        let isCovered = purchase.covers(call.amount)
        // A stranger who guesses a value gets the same verdict for every card and amount.
        self =
            if !isKnown {
                .unknown
            } else if !isSameCard {
                .wrongCard
            } else if isExpired {
                .expired
            } else if issued.isUsed {
                .alreadyUsed
            } else if call.isBlocked {
                .blockedCard
            } else if !isCovered {
                .amountExceeded
            } else {
                .valid
            }
    }
}

extension AuthenticatedPurchase {
    /// The confirmation of a card covers a check without an amount.
    fileprivate func covers(_ authorised: Amount) -> Bool {
        guard let amount, amount.currency == authorised.currency else {
            return authorised.minorUnits == 0 && amount == nil
        }
        return authorised.minorUnits <= amount.minorUnits
    }
}
