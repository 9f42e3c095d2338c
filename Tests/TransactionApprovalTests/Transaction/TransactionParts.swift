import TransactionApproval

/// The parts of a transaction; a test can change one of them.
struct TransactionParts {
    var enterprise = "bank-1"
    var id = "tx-1"
    var accountType = "current"
    var accountID = "acc-1"
    var context = Transaction.Context.payment
    var title = "Pay a bill"
    var fields: [(label: String, value: String)] = [("Purpose", "Invoice 4711")]
    var amounts: [(minorUnits: UInt64, currency: String)] = [(4711, "EUR")]
    var payees: [(name: String, account: String)] = [("Grüne Wiese", "DE89370400440532013000")]
    /// Replaces the payees.
    var merchant: (name: String, text: String)?
    var reference: String? = "order-1"
    var returnURL: String? = "https://bank.example/done?order=1"
    var acceptedAuthentication: AuthenticationTypes = [.userPIN, .biometric]
    var created: UInt64 = 1_800_000_000_000
    var deadline: UInt64 = 1_800_000_120_000
    var epoch: UInt64 = 3
    var nonce = [UInt8](0..<16)

    /// The type of a part refuses its value.
    struct Refused: Error {}

    func transaction() throws -> Transaction {
        try Transaction(
            enterprise: accepted(EnterpriseID(enterprise)),
            id: accepted(TransactionID(id)),
            account: AccountKey(
                type: accepted(AccountType(accountType)),
                id: accepted(AccountID(accountID))
            ),
            content: content(),
            reference: reference.map { try accepted(ExternalReference($0)) },
            returnURL: returnURL.map { try accepted(ReturnURL($0)) },
            acceptedAuthentication: acceptedAuthentication,
            created: accepted(Timestamp(milliseconds: created)),
            deadline: accepted(Timestamp(milliseconds: deadline)),
            epoch: epoch,
            nonce: accepted(TransactionNonce(nonce))
        )
    }

    private func content() throws -> Transaction.Content {
        try Transaction.Content(
            context: context,
            title: DisplayText(title),
            fields: fields.map { field in
                try Transaction.DisplayField(
                    label: DisplayText(field.label),
                    value: DisplayText(field.value)
                )
            },
            amounts: amounts.map { amount in
                let currency = try accepted(Currency(amount.currency))
                return try accepted(Amount(minorUnits: amount.minorUnits, currency: currency))
            },
            payees: merchant.map { [try payee($0)] }
                ?? payees.map { payee in
                    try Transaction.Payee(
                        name: DisplayText(payee.name),
                        recipient: .account(accepted(AccountNumber(payee.account)))
                    )
                }
        )
    }

    private func payee(_ merchant: (name: String, text: String)) throws -> Transaction.Payee {
        try Transaction.Payee(
            name: DisplayText(merchant.name),
            recipient: .merchant(DisplayText(merchant.text))
        )
    }

    private func accepted<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Refused() }
        return value
    }
}
