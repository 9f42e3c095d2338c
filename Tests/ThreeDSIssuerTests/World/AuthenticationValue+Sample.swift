import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

extension AuthenticationValue {
    static func sample() throws -> AuthenticationValue {
        try AuthenticationValue(of: .sample(), by: .sample, under: SampleWorld.key())
    }
}

extension AuthenticatedPurchase {
    /// A payment.
    static func sample(_ changes: [String: String?] = [:]) throws -> AuthenticatedPurchase {
        let request = try SampleRequest(.twoTwo, .app, .payment, changes).message()
        return try #require(
            try AuthenticatedPurchase(
                of: request,
                SampleWorld.authentication(of: request),
                card: SampleWorld.card()
            )
        )
    }
}

extension AuthenticationBasis {
    static let transaction = TransactionID(checked: "01a20749c1a86df0d735a8cd4d6fc2f3")
    static let sample = AuthenticationBasis.approval(transaction, by: .userPIN)
}
