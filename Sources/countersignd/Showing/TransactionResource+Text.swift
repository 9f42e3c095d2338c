import CommandLineTool
import TransactionApproval
import VerifierServer

extension Output {
    func print(_ transaction: TransactionResource, inJSON: Bool) throws(CommandFailure) {
        if inJSON { return try print(json: transaction) }
        try print(transaction.page)
    }
}

extension TransactionResource {
    /// As people write them; a currency that this countersignd does not know, by its minor units.
    var sums: [String] {
        amounts.map { sum in
            let amount = Currency(sum.currency)
                .flatMap { Amount(minorUnits: sum.minorUnits, currency: $0) }
            return amount?.formatted ?? "\(sum.minorUnits) \(sum.currency)"
        }
    }

    fileprivate var page: Table {
        Table(facts: particulars + asked + end)
    }

    private typealias Facts = [(name: String, value: String?)]

    private var particulars: Facts {
        [
            ("Transaction", id.text),
            ("State", state.rawValue),
            ("Account", account.description),
            ("Number to type", number),
        ]
    }

    private var asked: Facts {
        [("Kind", context.rawValue), ("Title", title)]
            + sums.map { ("Amount", $0) }
            + payees.map { ("To", "\($0.name), \($0.account)") }
            + fields.map { ($0.label, $0.value) }
            + [
                ("Reference", reference?.text),
                ("Returns to", returnURL),
                ("To be approved by", authentication.map(\.rawValue).joined(separator: " or ")),
                ("Asked", created.text),
                ("Waits until", deadline.text),
            ]
    }

    private var end: Facts {
        [
            ("Ended", closed?.text),
            ("Approved with", approvedWith?.rawValue),
            ("Rejected for", rejectedFor?.rawValue),
            ("Device", device?.description),
            ("Evidence", closed == nil ? nil : hasEvidence ? "kept" : "none"),
        ]
    }
}
