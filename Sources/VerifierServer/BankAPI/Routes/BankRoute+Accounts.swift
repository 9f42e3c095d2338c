package import TransactionApproval
import Verification

extension BankRoute {
    static let accounts = [
        BankRoute(.get, ofAccount, .read, showAccount),
        BankRoute(.put, ofAccount, .accounts, addAccount),
        BankRoute(.put, ofAccount + "/links/{otherType}/{otherID}", .accounts, linkAccounts),
        BankRoute(.delete, ofAccount + "/links/{otherType}/{otherID}", .accounts, unlinkAccounts),
        BankRoute(
            .put,
            ofAccount + "/replacement",
            .accounts,
            taking: AccountKey.self,
            replaceAccount
        ),
    ]

    private static func showAccount(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let overview = try await request.verifier.overview(of: request.account) else {
            return .notFound
        }
        return .ok(AccountResource(overview))
    }

    private static func addAccount(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        let answer = try await request.verifier.addAccount(request.account, by: request.actor)
        guard let overview = try await request.verifier.overview(of: request.account) else {
            return .notFound
        }
        let resource = AccountResource(overview)
        return answer == .done ? .created(resource, at: request.target) : .ok(resource)
    }

    private static func linkAccounts(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        let answer = try await request.verifier.link(
            request.account,
            to: request.otherAccount,
            by: request.actor
        )
        return BankResponse(answer)
    }

    private static func unlinkAccounts(
        _ request: BankRequest
    ) async throws(Verifier.Failure) -> BankResponse {
        let result = try await request.verifier.unlink(
            request.otherAccount,
            from: request.account,
            by: request.actor
        )
        return BankResponse(result)
    }

    private static func replaceAccount(
        _ request: BankRequest,
        _ successor: AccountKey
    ) async throws(Verifier.Failure) -> BankResponse {
        let answer = try await request.verifier.replace(
            request.account,
            by: successor,
            by: request.actor
        )
        guard answer == .unchanged else { return BankResponse(answer) }
        // The account has a successor already: this one or another one.
        let account = try await request.verifier.overview(of: request.account)?.account
        return account?.replacedBy == successor ? .noContent : .refused(.own(.accountReplaced))
    }
}

extension BankResponse {
    fileprivate init(_ answer: Verifier.AccountResult) {
        self =
            switch answer {
            case .done, .unchanged: .noContent
            case .unknownEnterprise, .unknownAccount: .notFound
            case .tooManyDevices: .refused(.own(.tooManyDevices))
            }
    }
}

package struct AccountResource: Codable, Sendable {
    package let type: AccountType
    package let id: AccountID
    package let linked: [AccountKey]
    package let mutedUntil: Timestamp?
    package let replacedBy: AccountKey?

    init(_ overview: AccountOverview) {
        type = overview.account.reference.key.type
        id = overview.account.reference.key.id
        linked = overview.linked
        mutedUntil = overview.mutedUntil
        replacedBy = overview.account.replacedBy
    }
}
