package import BankIntegration
package import StrictJSON
package import TransactionApproval
import Verification

extension BankRoute {
    private static let ofLink = ofAccount + "/links/{otherType}/{otherID}"

    static let accounts = [
        BankRoute(.get, ofAccount, .read, BankRequest.showAccount),
        BankRoute(
            .put,
            ofAccount,
            .accounts,
            as: .addAccount,
            takingOptional: BankRequest.addAccount
        ),
        BankRoute(.put, ofLink, .accounts, as: .linkAccounts, BankRequest.linkAccounts),
        BankRoute(.delete, ofLink, .accounts, as: .unlinkAccounts, BankRequest.unlinkAccounts),
        BankRoute(
            .put,
            ofAccount + "/replacement",
            .accounts,
            as: .replaceAccount,
            taking: BankRequest.replaceAccount
        ),
    ]
}

extension BankRequest {
    fileprivate func showAccount() async throws(Verifier.Failure) -> BankResponse {
        guard let overview = try await verifier.overview(of: account) else {
            return .notFound(.account)
        }
        return .ok(AccountResource(overview))
    }

    fileprivate func addAccount(
        _ content: NewAccount?
    ) async throws(Verifier.Failure) -> BankResponse {
        let result = try await verifier.addAccount(account, isTest: content?.test, by: author)
        guard [.done, .unchanged].contains(result) else { return BankResponse(result) }
        guard let overview = try await verifier.overview(of: account) else {
            return .notFound(.account)
        }
        let resource = AccountResource(overview)
        return result == .done ? .created(resource, at: target) : .ok(resource)
    }

    fileprivate func linkAccounts() async throws(Verifier.Failure) -> BankResponse {
        BankResponse(try await verifier.link(account, to: otherAccount, by: author))
    }

    fileprivate func unlinkAccounts() async throws(Verifier.Failure) -> BankResponse {
        BankResponse(try await verifier.unlink(otherAccount, from: account, by: author))
    }

    fileprivate func replaceAccount(
        by successor: AccountKey
    ) async throws(Verifier.Failure) -> BankResponse {
        let result = try await verifier.replace(account, by: successor, by: author)
        guard result == .unchanged else { return BankResponse(result) }
        // The account has a successor already: this one or another one.
        let replaced = try await verifier.overview(of: account)?.account
        return replaced?.replacedBy == successor ? .noContent : .refused(.own(.accountReplaced))
    }
}

extension BankResponse {
    fileprivate init(_ result: Verifier.AccountResult) {
        self =
            switch result {
            case .done, .unchanged: .noContent
            case .unknownEnterprise: .notFound(.enterprise)
            case .unknownAccount: .notFound(.account)
            case .tooManyDevices: .refused(.own(.tooManyDevices))
            case .testAccountForbidden: .refused(.own(.testAccountForbidden))
            case .accountExists: .refused(.own(.accountExists))
            case .mixedTestAccounts: .refused(.own(.mixedTestAccounts))
            case .successorReplaced: .refused(.own(.accountReplaced))
            }
    }
}

package struct NewAccount: RequestContent, Encodable {
    /// Whether it is a test account; nil for the mark of an existing account, or no mark.
    let test: Bool?

    package init(test: Bool) { self.test = test }

    package init?(_ value: CheckedValue) {
        guard let members = value.object(["test"]) else { return nil }
        test = members.optional("test")?.boolean()
    }
}

extension AccountKey: RequestContent {
    package init?(_ value: CheckedValue) {
        guard let members = value.object(["type", "id"]) else { return nil }
        let type: AccountType? = members.required("type")?.name()
        let id: AccountID? = members.required("id")?.name()
        guard let type, let id else { return nil }
        self.init(type: type, id: id)
    }
}

package struct AccountResource: Codable, Sendable {
    package let type: AccountType
    package let id: AccountID
    package let test: Bool
    package let linked: [AccountKey]
    package let mutedUntil: DateTime?
    package let replacedBy: AccountKey?
    /// The approvals by consent alone; nil if a restore lost some.
    package let consents: Consents?

    package struct Consents: Codable, Sendable {
        package let count: Int
        package let amounts: [TransactionResource.Sum]
    }

    init(_ overview: AccountOverview) {
        type = overview.account.reference.key.type
        id = overview.account.reference.key.id
        test = overview.account.isTest
        linked = overview.linked
        mutedUntil = overview.mutedUntil.map { DateTime($0) }
        replacedBy = overview.account.replacedBy
        consents = overview.consents.map { Consents($0) }
    }
}

extension AccountResource.Consents {
    fileprivate init(_ total: ConsentTotal) {
        let sums = total.minorUnits.sorted { $0.key.code < $1.key.code }
        self.init(
            count: total.count,
            amounts: sums.map { .init(currency: $0.key.code, minorUnits: $0.value) }
        )
    }
}
