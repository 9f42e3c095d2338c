import Cryptography
import TransactionApproval

extension VectorType {
    static let transaction = VectorType(
        name: "transaction",
        inputs: [.bytes("canonical_hex")],
        results: [
            .bytes("hash_hex"), .text("enterprise"), .text("id"), .text("account_type"),
            .text("account_id"), .text("context"), .text("title"), .list("fields"),
            .list("amounts"), .list("payees"), .text("reference").optional,
            .text("return_url").optional, .list("authentication"), .text("created"),
            .text("deadline"), .text("epoch"), .bytes("nonce_hex"),
        ]
    ) { row in
        let transaction = try Transaction(canonicalBytes: try row.bytes("canonical_hex"))
        // Compares the bytes after writing them again, so writing and reading are both checked.
        let hash = try TransactionHash(of: transaction)
        var facts = transaction.facts
        facts["hash_hex"] = .text(TextEncoding.hexadecimal.encode(hash.bytes.span))
        return facts
    }
}

extension Transaction {
    fileprivate var facts: [String: VectorCase.Value] {
        let texts: [String: String?] = [
            "enterprise": enterprise.text, "id": id.text, "account_type": account.type.text,
            "account_id": account.id.text, "context": "\(content.context)",
            "title": content.title.text, "reference": reference?.text,
            "return_url": returnURL?.text, "created": String(created.milliseconds),
            "deadline": String(deadline.milliseconds), "epoch": String(epoch),
            "nonce_hex": nonce.description,
        ]
        var facts = texts.compactMapValues { $0.map(VectorCase.Value.text) }
        facts["fields"] = .rows(content.fields.map { [$0.label.text, $0.value.text] })
        facts["amounts"] = .rows(
            content.amounts.map { [String($0.minorUnits), $0.currency.code, $0.formatted] }
        )
        facts["payees"] = .rows(
            content.payees.map { payee in
                switch payee.recipient {
                case .account(let account): [payee.name.text, account.text, account.formatted]
                case .merchant(let merchant): [payee.name.text, merchant.text]
                }
            }
        )
        facts["authentication"] = .list(acceptedAuthentication.names.map { .text($0) })
        return facts
    }
}

extension AuthenticationTypes {
    var names: [String] {
        [(Self.consent, "consent"), (.userPIN, "userPIN"), (.biometric, "biometric")]
            .filter { contains($0.0) }.map(\.1)
    }
}

extension VectorCase.Value {
    fileprivate static func rows(_ rows: [[String]]) -> VectorCase.Value {
        .list(rows.map { .list($0.map { .text($0) }) })
    }
}
