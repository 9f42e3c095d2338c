extension Transaction {
    package enum Context: UInt8, CaseIterable, Sendable {
        case payment = 1
        case action, login
    }

    /// Everything that the device shows.
    ///
    /// A payment or batch has at least one amount and one payee (EU 2018/389, article 5). Each
    /// amount is the total in its currency, and all payees are listed. A merchant is the only payee.
    package struct Content: Hashable, Sendable {
        package let context: Context
        package let title: DisplayText
        package let fields: [DisplayField]
        package let amounts: [Amount]
        package let payees: [Payee]

        package static let maximumTitleLength = 100
        package static let maximumFields = 20
        package static let maximumAmounts = 10
        package static let maximumPayees = 100

        package init(
            context: Context,
            title: DisplayText,
            fields: [DisplayField] = [],
            amounts: [Amount] = [],
            payees: [Payee] = []
        ) throws(Failure) {
            guard title.count <= Self.maximumTitleLength else { throw .tooLong(.title) }
            guard fields.count <= Self.maximumFields else { throw .tooMany(.displayFields) }
            guard amounts.count <= Self.maximumAmounts else { throw .tooMany(.amounts) }
            guard payees.count <= Self.maximumPayees else { throw .tooMany(.payees) }
            guard context != .payment || !amounts.isEmpty else { throw .missing(.amounts) }
            guard context != .payment || !payees.isEmpty else { throw .missing(.payees) }
            // A card payment has one shop.
            guard payees.count == 1 || !payees.contains(where: { $0.isMerchant }) else {
                throw .invalid(.payees)
            }
            // Two totals in one currency are ambiguous.
            for (index, amount) in amounts.enumerated()
            where amounts[..<index].contains(where: { $0.currency.key == amount.currency.key }) {
                throw .invalid(.amounts)
            }
            self.context = context
            self.title = title
            self.fields = fields
            self.amounts = amounts
            self.payees = payees
        }
    }

    /// A line that the bank adds, such as "Limit" and "from 500 to 5000 EUR".
    package struct DisplayField: Hashable, Sendable {
        package let label: DisplayText
        package let value: DisplayText

        package static let maximumLabelLength = 40
        package static let maximumValueLength = 200

        package init(label: DisplayText, value: DisplayText) throws(Failure) {
            guard label.count <= Self.maximumLabelLength, value.count <= Self.maximumValueLength
            else {
                throw .tooLong(.displayFields)
            }
            self.label = label
            self.value = value
        }
    }

    package struct Payee: Hashable, Sendable {
        /// The recipient of the money, apart from its name.
        package enum Recipient: Hashable, Sendable {
            case account(AccountNumber)
            /// For a card payment, which has no account number: it distinguishes shops of one name.
            case merchant(DisplayText)

            /// For display; an account number is in groups of four.
            package var shown: String {
                switch self {
                case .account(let account): account.formatted
                case .merchant(let merchant): merchant.text
                }
            }
        }

        package let name: DisplayText
        package let recipient: Recipient

        /// The limit of a SEPA credit transfer.
        package static let maximumNameLength = 70
        package static let maximumMerchantLength = 120

        package init(name: DisplayText, recipient: Recipient) throws(Failure) {
            guard name.count <= Self.maximumNameLength else { throw .tooLong(.payees) }
            if case .merchant(let merchant) = recipient,
                merchant.count > Self.maximumMerchantLength
            {
                throw .tooLong(.payees)
            }
            self.name = name
            self.recipient = recipient
        }

        package var isMerchant: Bool {
            if case .merchant = recipient { true } else { false }
        }
    }
}
