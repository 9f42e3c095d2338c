import AuthenticationHandler
import CommandLineTool

/// The names of a request's parts, on a page and in a table.
enum RequestLabels {
    static var amount: String { localized("Amount", german: "Betrag") }
    static var payee: String { localized("To", german: "An") }
    static var payeeAccount: String { localized("To account", german: "Auf Konto") }
    static var merchant: String { localized("Merchant", german: "Händler") }
    static var kind: String { localized("Kind", german: "Art") }
    static var account: String { localized("Account", german: "Zugang") }
    static var reference: String { localized("Reference", german: "Referenz") }
    static var timeLeft: String { localized("Time left", german: "Restzeit") }
    static var title: String { localized("Title", german: "Titel") }
    static var otherDetails: String {
        localized("Other details from the bank:", german: "Weitere Angaben der Bank:")
    }

    static func kind(_ context: PendingTransaction.Context) -> String {
        switch context {
        case .payment: localized("payment", german: "Zahlung")
        case .action: localized("action", german: "Vorgang")
        case .login: localized("login", german: "Anmeldung")
        }
    }
}
