import AuthenticationHandler

extension App {
    func pull() async throws(AuthenticationError) {
        guard let transaction = try await handler.pendingTransaction() else {
            show("Nothing is pending.")
            return
        }
        show(transaction.title)
    }

    func listen() async throws(AuthenticationError) {
        for await payload in try await handler.pushes() {
            do {
                if AuthenticationHandler.announcesAccountChange(push: payload) {
                    try await showAccountChanges()
                } else {
                    let transaction = try await handler.pendingTransaction(push: payload)
                    show(transaction.title)
                }
            } catch {
                show(error.description)
            }
        }
    }

    func showAccountChanges() async throws(AuthenticationError) {
        let found = try await handler.accountChanges()
        for change in found.changes { show("\(change.account): \(change.kind.rawValue)") }
        for (account, error) in found.failures { show("\(account): \(error)") }
    }

    func wake(_ payload: [UInt8], _ token: String) async throws(AuthenticationError) {
        let transaction = try await handler.pendingTransaction(push: payload)
        try await handler.setPush(.fcm(token: token))
        try await decide(transaction)
    }

    func decide(_ transaction: PendingTransaction) async throws(AuthenticationError) {
        let isolated = { (text: String) in "\u{2068}\(text)\u{2069}" }
        let lines =
            [transaction.title]
            + transaction.amounts.map { "Amount: \($0.formatted)" }
            + transaction.payees.map { "To: \(isolated($0.name)), \(isolated("\($0.recipient)"))" }
            + transaction.fields.map { "\(isolated($0.label)): \(isolated($0.value))" }
        lines.forEach(show)
        var number: String?
        if let count = transaction.typedDigits {
            let typed = await askNumber(count)
            guard transaction.isTypedNumber(typed) else {
                show("Type the \(count) digits that the bank shows.")
                return
            }
            number = typed
        }
        let redirect = try await handler.redirect(after: transaction)
        if transaction.authenticationTypes.contains(.userPIN) {
            var digits = await ask("the PIN")
            try await handler.approve(
                transaction,
                with: .pin(PIN(wiping: &digits)),
                typedNumber: number
            )
        } else if transaction.authenticationTypes.contains(.consent) {
            try await handler.approve(transaction, with: .consent, typedNumber: number)
        }
        if case .url(let url) = redirect { open(url) }
    }

    func reject(_ transaction: PendingTransaction) async throws(AuthenticationError) {
        try await handler.reject(transaction)
    }

    func reportFraud(_ transaction: PendingTransaction) async throws(AuthenticationError) {
        try await handler.reject(transaction, reason: .notMe)
    }

    func fetchAndDecide() async throws(AuthenticationError) {
        let result = try await handler.decideNextTransaction { transaction in
            switch await decision(on: transaction) {
            case true: .approve(with: .consent)
            case false: .reject(.unspecified)
            case nil: .undecided
            }
        }
        switch result?.redirect {
        case .url(let url): open(url)
        case .notAllowed: show("Return to the bank yourself.")
        case .some(.notRequested), nil: break
        }
    }
}
