import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

extension AuthenticationValue {
    static func sample() throws -> AuthenticationValue {
        try AuthenticationValue(of: .sample(), under: SampleWorld.key())
    }
}

extension AuthenticatedPurchase {
    /// An approved payment.
    static func sample(
        _ changes: [String: String?] = [:],
        _ status: Status = .strong
    ) throws -> AuthenticatedPurchase {
        let request = try SampleRequest(.twoTwo, .app, .payment, changes).message()
        var purchase = try #require(
            try AuthenticatedPurchase(
                of: request,
                SampleWorld.authentication(of: request),
                card: SampleWorld.card(),
                status: status
            )
        )
        purchase.transaction = TransactionID("01a20749c1a86df0d735a8cd4d6fc2f3")
        return purchase
    }
}
