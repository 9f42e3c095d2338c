import TransactionApproval
package import Verification

extension Bank {
    /// EUR 30 for one payment and EUR 100 in total.
    package static func consentPolicy(_ members: String = "", consecutive: Int = 5) -> String {
        """
        {"authentication": ["userPIN", "consent"], "consecutiveConsents": \(consecutive),
         "consentCeilings": [{"currency": "EUR", "minorUnits": 3000, "totalMinorUnits": 10000}]
         \(members.isEmpty ? "" : ", \(members)")}
        """
    }

    package static func allowingConsent(
        _ members: String = "",
        consecutive: Int = 5
    ) async throws -> Bank {
        try await Bank(policy: consentPolicy(members, consecutive: consecutive))
    }

    /// Whether consent alone approves a new payment, three hours after the one before.
    package func consents(
        _ minorUnits: UInt64,
        from account: AccountReference = account,
        on phone: Phone
    ) async throws -> Bool {
        clock.advance(by: .seconds(3 * 60 * 60))
        let payment = try await pay(minorUnits, from: account)
        let result = try await phone.decide(on: payment, by: .consent, in: self)
        let isOffered = payment.acceptedAuthentication.contains(.consent)
        guard result == (isOffered ? .accepted(nil) : .refused(.typeNotAllowed)) else {
            throw Unexpected()
        }
        return isOffered
    }
}
