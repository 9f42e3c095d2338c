package import Cryptography
package import ThreeDSProtocol
package import Transactions

/// Everything that an authentication value is bound to, as a row of the store has it.
package struct AuthenticatedPurchase: Equatable, Sendable {
    /// `Card.digest`.
    package let card: Digest
    package let acsTransID: String
    package let dsTransID: String
    package let status: Status
    /// As the AReq spells them; nil if a confirmation of a card has none.
    package var acquirerBIN: String?
    package var acquirerMerchantID: String?
    package var merchantName: String?
    package var amount: Amount?
    package var purchaseDate: String?
    /// The approved transaction at the verifier, whose evidence no ACS can make.
    ///
    /// Nil without an approval. The bank's API does not return the hash of a transaction.
    package var transaction: TransactionID?

    /// How strongly the person was authenticated; a byte of the value.
    package enum Status: UInt8, CaseIterable, Sendable {
        /// By PIN or biometrics.
        case strong = 1
        /// By the device alone, which is one factor.
        case consent = 2
        /// Exempted, without the person.
        case frictionless = 3

        package init(_ way: AuthenticationType) {
            self = way == .consent ? .consent : .strong
        }
    }

    /// The other members of a row are set afterwards.
    package init(card: Digest, acsTransID: String, dsTransID: String, status: Status) {
        self.card = card
        self.acsTransID = acsTransID
        self.dsTransID = dsTransID
        self.status = status
    }

    /// Nil if the authentication is not one of the AReq.
    package init?(
        of request: Message,
        _ authentication: CardAuthentication,
        card: Card,
        status: Status
    ) {
        guard let dsTransID = authentication.ids.directory, request.ids.directory == dsTransID
        else { return nil }
        self.init(
            card: card.digest,
            acsTransID: authentication.acsTransID,
            dsTransID: dsTransID,
            status: status
        )
        acquirerBIN = request["acquirerBIN"]
        acquirerMerchantID = request["acquirerMerchantID"]
        merchantName = request["merchantName"]
        // A confirmation is not a payment: with an amount, the shop could have it paid.
        if authentication.category == .payment {
            amount = Purchase(request)?.amount
        }
        purchaseDate = request["purchaseDate"]
    }

    /// Each field has a length, and an empty field is an absent one: no element is empty.
    func write(to writer: inout FieldWriter) {
        writer.append(card.array)
        for text in [
            acsTransID, dsTransID, acquirerBIN, acquirerMerchantID, merchantName,
            amount.map { String($0.minorUnits) }, amount?.currency.code,
            amount.map { String($0.currency.exponent) }, purchaseDate,
        ] {
            writer.append(text ?? "")
        }
        writer.append([status.rawValue])
        writer.append(transaction?.text ?? "")
    }
}
