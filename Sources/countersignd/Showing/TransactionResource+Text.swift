import BankIntegration
import CommandLineTool
import TransactionApproval
import VerifierServer

extension Output {
    func print(_ transaction: TransactionResource, inJSON: Bool) throws(CommandFailure) {
        try print(transaction, inJSON: inJSON, or: transaction.page)
    }
}

extension TransactionResource {
    /// Formatted amounts; minor units for a currency that this release does not know.
    var sums: [String] {
        amounts.map { sum in
            let amount = Currency(sum.currency)
                .flatMap { Amount(minorUnits: sum.minorUnits, currency: $0) }
            return amount?.formatted ?? "\(sum.minorUnits) \(sum.currency)"
        }
    }

    fileprivate var page: Table {
        Table(facts: status + content + result)
    }

    private typealias Facts = [(name: String, value: String?)]

    private var status: Facts {
        [
            ("Transaction", id.text),
            ("State", state.rawValue),
            ("Account", account.description),
            ("Number to type", number),
        ]
    }

    private var content: Facts {
        [("Context", context.rawValue), ("Title", title)]
            + sums.map { ("Amount", $0) }
            + payees.map { ("Payee", "\($0.recipient) (\($0.name))") }
            + fields.map { ("Detail from the bank", "\($0.label): \($0.value)") }
            + [
                ("Reference", reference?.text),
                ("Return URL", returnURL),
                ("Authentication", authentication.map(\.rawValue).joined(separator: " or ")),
                ("Created", created.text),
                ("Deadline", deadline.text),
            ]
    }

    private var result: Facts {
        [
            ("Ended", closed?.text),
            ("Approved with", approvedWith?.rawValue),
            ("Rejected because", rejectedFor?.rawValue),
            ("Device", device?.description),
            ("Evidence", closed == nil ? nil : hasEvidence ? "stored" : "none"),
        ]
    }
}
