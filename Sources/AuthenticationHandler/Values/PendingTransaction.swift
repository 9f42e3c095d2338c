import Cryptography
import TransactionApproval

/// A transaction that waits for a person's decision.
///
/// All of it was parsed from the bytes that an approval signs. Show all of it: the law calls this
/// dynamic linking (EU 2018/389, article 5).
public struct PendingTransaction: Sendable {
    let transaction: Transaction
    let hash: TransactionHash
    let device: DeviceID
    /// The types that the transaction accepts and this device has.
    public let authenticationTypes: [AuthenticationType]
    /// The length of the number that the bank shows and the person types; nil without a number.
    public let typedDigits: Int?
    /// The verifier's clock minus the clock of this device; zero while the verifier accepts the
    /// clock of this device.
    public let clockOffset: Duration

    init(
        _ transaction: Transaction,
        _ typedDigits: TypedNumber.Length?,
        for record: AccountRecord,
        offering types: [AuthenticationType],
        clockOffset: Duration
    ) throws(CryptographyFailure) {
        let accepted = transaction.acceptedAuthentication
        self.transaction = transaction
        hash = try TransactionHash(of: transaction)
        device = record.device
        authenticationTypes = types.filter { accepted.contains($0) }
        self.typedDigits = typedDigits?.rawValue
        self.clockOffset = clockOffset
    }
}

/// The pending transactions of all accounts.
public struct PendingTransactions: Sendable {
    /// The oldest first.
    public let transactions: [PendingTransaction]
    /// Why those of an account are unknown, or not all shown; empty if all are shown.
    public let failures: [Account: AuthenticationError]

    /// The failure of the first account, by its name.
    var firstFailure: AuthenticationError? {
        failures.min { $0.key.description < $1.key.description }?.value
    }
}

extension PendingTransaction {
    public enum Context: Sendable {
        case payment, action, login
    }

    /// A line from the bank, such as "Limit" and "from 500 to 5000 EUR".
    public struct Field: Hashable, Sendable {
        public let label: String
        public let value: String
    }

    public struct Amount: Hashable, Sendable {
        public let minorUnits: UInt64
        public let currency: String
        /// For display: `1 234 567.00 EUR`.
        public let formatted: String
    }

    public struct Payee: Hashable, Sendable {
        /// Its description is for display.
        public enum Recipient: Hashable, Sendable, CustomStringConvertible {
            /// The whole number as the bank sent it; the description has it in groups of four.
            case account(String)
            /// The shop of a card payment.
            case merchant(String)

            public var description: String {
                switch self {
                // Each account of a transaction was read from such a number.
                case .account(let text): AccountNumber(text)?.formatted ?? text
                case .merchant(let text): text
                }
            }
        }

        public let name: String
        public let recipient: Recipient
    }

    /// Whether a typed number has the digits that `typedDigits` requires.
    public func isTypedNumber(_ text: String) -> Bool {
        guard let typedDigits else { return false }
        return TypedNumber(text)?.length?.rawValue == typedDigits
    }

    public var id: String { transaction.id.text }
    public var account: Account { Account(transaction.enterprise, transaction.account) }
    public var title: String { transaction.content.title.text }
    /// The bank's reference.
    public var reference: String? { transaction.reference?.text }
    /// By the verifier's clock.
    public var deadline: Timestamp { transaction.deadline }

    public var context: Context {
        switch transaction.content.context {
        case .payment: .payment
        case .action: .action
        case .login: .login
        }
    }

    public var fields: [Field] {
        transaction.content.fields.map { Field(label: $0.label.text, value: $0.value.text) }
    }

    /// For a payment, the total in each currency.
    public var amounts: [Amount] {
        transaction.content.amounts.map {
            Amount(
                minorUnits: $0.minorUnits,
                currency: $0.currency.code,
                formatted: $0.formatted
            )
        }
    }

    public var payees: [Payee] {
        transaction.content.payees.map {
            Payee(name: $0.name.text, recipient: .init($0.recipient))
        }
    }
}

extension PendingTransaction.Payee.Recipient {
    fileprivate init(_ recipient: Transaction.Payee.Recipient) {
        self =
            switch recipient {
            case .account(let number): .account(number.text)
            case .merchant(let merchant): .merchant(merchant.text)
            }
    }
}
