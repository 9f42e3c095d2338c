extension JSONText {
    /// The kind of error and, if one is to blame, the field.
    init(_ failure: Transaction.Failure) {
        switch failure {
        case .missing(let field): self.init(refused: "missing", field)
        case .tooMany(let field): self.init(refused: "tooMany", field)
        case .tooLong(let field): self.init(refused: "tooLong", field)
        case .invalid(let field): self.init(refused: "invalid", field)
        case .notCanonical: self.init(refused: "notCanonical", nil)
        }
    }

    private init(refused kind: String, _ field: Transaction.Field?) {
        self.init()
        append(syntax: #"{"refused":"#)
        append(kind)
        append(syntax: #","field":"#)
        append(field?.name)
        append(syntax: "}")
    }

    init(_ text: DisplayText) {
        append(syntax: #"{"count":"#)
        append(text.count)
        append(syntax: "}")
    }

    init(_ refusal: DisplayText.Refusal) {
        append(syntax: #"{"refused":"#)
        append(refusal.rule.name)
        append(syntax: #","offset":"#)
        append(refusal.offset)
        append(syntax: "}")
    }
}

// Embedded Swift cannot print the name of a case.

extension Transaction.Field {
    fileprivate var name: String {
        switch self {
        case .enterprise: "enterprise"
        case .id: "id"
        case .accountType: "accountType"
        case .accountID: "accountID"
        case .context: "context"
        case .title: "title"
        case .displayFields: "displayFields"
        case .amounts: "amounts"
        case .payees: "payees"
        case .reference: "reference"
        case .returnURL: "returnURL"
        case .acceptedAuthentication: "acceptedAuthentication"
        case .created: "created"
        case .deadline: "deadline"
        case .epoch: "epoch"
        case .nonce: "nonce"
        }
    }
}

extension DisplayText.Rule {
    fileprivate var name: String {
        switch self {
        case .empty: "empty"
        case .hidden: "hidden"
        case .whiteSpace: "whiteSpace"
        case .spacing: "spacing"
        case .unsupported: "unsupported"
        case .marks: "marks"
        case .mixedScripts: "mixedScripts"
        case .mixedDigits: "mixedDigits"
        case .notNormalized: "notNormalized"
        }
    }
}
