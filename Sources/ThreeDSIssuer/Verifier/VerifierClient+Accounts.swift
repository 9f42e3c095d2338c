extension VerifierClient {
    private typealias Knowledge = Result<Bool, VerifierFailure>

    /// The number of calls at the same time.
    private static let batchSize = 16

    /// The accounts that the verifier does not have, in their order.
    package func unknown(
        among accounts: [CardAccount]
    ) async throws(VerifierFailure) -> [CardAccount] {
        var unknown: [CardAccount] = []
        for start in stride(from: 0, to: accounts.count, by: Self.batchSize) {
            let batch = Array(accounts[start...].prefix(Self.batchSize))
            let found = await knowledge(of: batch)
            for account in batch {
                guard let known = found[account] else { continue }
                if try !known.get() { unknown.append(account) }
            }
        }
        return unknown
    }

    private func knowledge(of accounts: [CardAccount]) async -> [CardAccount: Knowledge] {
        await withTaskGroup(of: (CardAccount, Knowledge).self) { group in
            for account in accounts {
                group.addTask { (account, await knows(account)) }
            }
            var found: [CardAccount: Knowledge] = [:]
            for await (account, knowledge) in group { found[account] = knowledge }
            return found
        }
    }

    private func knows(_ account: CardAccount) async -> Knowledge {
        do throws(VerifierFailure) {
            let target = try path(of: account) + "/readiness?source=cards"
            let call = Call(method: .get, target: target, content: nil, key: nil, wait: .zero)
            switch try await response(to: call) {
            case .document: return .success(true)
            case .problem("notFound", _): return .success(false)
            case .problem(let code, _): return .failure(.refused(code: code))
            }
        } catch {
            return .failure(error)
        }
    }
}
