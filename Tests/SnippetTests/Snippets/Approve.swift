import AuthenticationHandler

extension App {
    func pull() async throws(AuthenticationError) {
        guard let transaction = try await handler.getTransaction() else {
            show("Nothing waits.")
            return
        }
        show("\(transaction.remainingCount) more are waiting.")
    }

    func listen() async throws(AuthenticationError) {
        for await payload in try await handler.pushes() {
            let transaction = try await handler.getTransaction(push: payload)
            show(transaction.title)
        }
    }

    func wake(_ payload: [UInt8], _ token: String) async throws(AuthenticationError) {
        let transaction = try await handler.getTransaction(push: payload)
        try await handler.setPush(.fcm(token: token))
        try await decide(transaction)
    }

    func decide(_ transaction: PendingTransaction) async throws(AuthenticationError) {
        let lines =
            [transaction.title]
            + transaction.amounts.map { "Amount: \($0.formatted)" }
            + transaction.payees.map { "To: \($0.name), \($0.account)" }
            + transaction.fields.map { "\($0.label): \($0.value)" }
        lines.forEach(show)
        var number: String?
        if let count = transaction.typedDigits { number = await askNumber(count) }
        if transaction.authenticationTypes.contains(.userPIN) {
            let digits = await ask("the PIN")
            try await handler.authenticateUsingUserPIN(
                transaction,
                pin: PIN(copying: digits.span),
                typedNumber: number
            )
        } else if transaction.authenticationTypes.contains(.consent) {
            try await handler.authenticateUsingConsent(transaction, typedNumber: number)
        }
    }

    func reject(_ transaction: PendingTransaction) async throws(AuthenticationError) {
        try await handler.cancelTransaction(transaction, reason: .notMe)
    }

    func fetchAndDecide() async throws(AuthenticationError) {
        let result = try await handler.fetchAuthnRequest { transaction in
            switch await answer(to: transaction) {
            case true: .consent()
            case false: .cancel(.unspecified)
            case nil: .undecided
            }
        }
        switch result?.wayBack {
        case .url(let url): open(url)
        case .refused: show("Go back by hand.")
        case .some(.notRequested), nil: break
        }
    }
}
