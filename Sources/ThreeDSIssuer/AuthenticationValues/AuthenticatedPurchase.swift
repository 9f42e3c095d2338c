package import Cryptography
package import ThreeDSProtocol
package import Transactions

/// The purchase that an authentication value is bound to, as a row of the store has it.
///
/// It is made from the AReq, and stored until the value is made.
package struct AuthenticatedPurchase: Equatable, Sendable {
    /// `Card.digest`.
    package let card: Digest
    package let acsTransID: String
    package let dsTransID: String
    /// As the AReq spells them; nil if a confirmation of a card has none.
    package var acquirerBIN: String?
    package var acquirerMerchantID: String?
    package var merchantName: String?
    package var amount: Amount?
    package var purchaseDate: String?

    /// The other members of a row are set afterwards.
    package init(card: Digest, acsTransID: String, dsTransID: String) {
        self.card = card
        self.acsTransID = acsTransID
        self.dsTransID = dsTransID
    }

    /// Nil if the authentication is not one of the AReq.
    package init?(
        of request: Message,
        _ authentication: CardAuthentication,
        card: Card
    ) {
        guard let dsTransID = authentication.ids.directory, request.ids.directory == dsTransID
        else { return nil }
        self.init(
            card: card.digest,
            acsTransID: authentication.acsTransID,
            dsTransID: dsTransID
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
    }
}
