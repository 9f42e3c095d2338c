import Cryptography
import StrictJSON
import ThreeDSProtocol
import Transactions

/// The sealed content of the row of an authentication as earlier versions wrote it, in JSON.
struct EarlierAuthentication: Decodable {
    private let version: String
    private let channel: String
    private let category: String
    private let server: String?
    private let sdk: String?
    private let isDecoupled: Bool
    private let ways: UInt8
    private let directory: String
    private let card: String?
    private let requestDigest: String
    private let response: String?
    private let purchase: PurchaseContent?
    private let basis: BasisContent?
    private let valueKey: UInt8?
    private let isValueUsed: Bool
    private let challenge: ChallengeContent?

    /// The columns of the row add what they have; nil for a content that no ACS writes.
    func authentication(
        id: String,
        directoryID: String,
        made: Timestamp
    ) -> Authentication? {
        var ids = TransactionIDs()
        (ids.acs, ids.directory, ids.server, ids.sdk) = (id, directoryID, server, sdk)
        guard let version = ProtocolVersion(rawValue: version),
            let channel = DeviceChannel(rawValue: channel),
            let category = MessageCategory(rawValue: category),
            let directory = DirectoryID(directory), let digest = requestDigest.bytesOfBase64,
            let facts = CardAuthentication(
                version: version,
                channel: channel,
                category: category,
                ids: ids,
                isDecoupled: isDecoupled,
                ways: AuthenticationTypes(rawValue: ways)
            )
        else { return nil }
        var authentication = Authentication(
            facts: facts,
            directory: directory,
            card: card.flatMap { CardReference($0) },
            made: made,
            requestDigest: digest
        )
        authentication.storedDirectoryKey = directoryID
        authentication.response = response.map { Array($0.utf8) }
        authentication.valueKey = valueKey
        authentication.isValueUsed = isValueUsed
        if let purchase {
            guard let purchase = purchase.purchase(facts) else { return nil }
            authentication.purchase = purchase
        }
        if let basis {
            guard let basis = basis.basis else { return nil }
            authentication.basis = basis
        }
        if let challenge {
            guard let challenge = challenge.challenge else { return nil }
            authentication.challenge = challenge
        }
        return authentication
    }
}

private struct PurchaseContent: Decodable {
    let card: String
    let acquirerBIN: String?
    let acquirerMerchantID: String?
    let merchantName: String?
    let amount: AmountContent?
    let purchaseDate: String?

    func purchase(_ facts: CardAuthentication) -> AuthenticatedPurchase? {
        guard let card = card.bytesOfBase64, let dsTransID = facts.ids.directory else { return nil }
        var purchase = AuthenticatedPurchase(
            card: Digest(copying: card.span),
            acsTransID: facts.acsTransID,
            dsTransID: dsTransID
        )
        purchase.acquirerBIN = acquirerBIN
        purchase.acquirerMerchantID = acquirerMerchantID
        purchase.merchantName = merchantName
        purchase.amount = amount?.amount
        purchase.purchaseDate = purchaseDate
        return purchase
    }
}

private struct AmountContent: Decodable {
    let units: UInt64
    let currency: String

    var amount: Amount? {
        Currency(currency).flatMap { Amount(minorUnits: units, currency: $0) }
    }
}

/// An approval, or an exemption without both members.
private struct BasisContent: Decodable {
    let transaction: String?
    let way: String?

    var basis: AuthenticationBasis? {
        guard let transaction, let way else {
            return transaction == nil && way == nil ? .exemption : nil
        }
        guard let id = TransactionID(transaction), let way = AuthenticationType(rawValue: way)
        else { return nil }
        return .approval(id, by: way)
    }
}

private struct ChallengeContent: Decodable {
    let progress: String
    let account: String
    let document: String
    let summary: String
    let transaction: String?
    let number: String?
    /// Nil in rows from before it was counted: there can be one.
    let openOrders: Int?
    let isMuted: Bool
    let hasShownPage: Bool
    let app: AppContent?
    let browser: BrowserContent?
    let result: ResultContent?
    let approvalEnd: UInt64?
    let isLeftToWithdraw: Bool
    let resultDue: UInt64?
    let failedResults: Int

    var challenge: StoredChallenge? {
        guard let progress = progress.bytesOfBase64.flatMap({ Challenge(encoded: $0) }),
            let account = CardAccount(account), let party
        else { return nil }
        var challenge = StoredChallenge(
            progress: progress,
            account: account,
            document: Array(document.utf8),
            summary: summary,
            isMuted: isMuted,
            hasShownPage: hasShownPage,
            party: party
        )
        challenge.transaction = transaction.flatMap { TransactionID($0) }.map {
            RequestedTransaction(id: $0, number: number)
        }
        challenge.openOrders = openOrders ?? 1
        challenge.result = result.flatMap(\.result)
        challenge.isLeftToWithdraw = isLeftToWithdraw
        challenge.approvalEnd = approvalEnd.flatMap { Timestamp(milliseconds: $0) }
        challenge.resultDue = resultDue.flatMap { Timestamp(milliseconds: $0) }
        challenge.failedResults = failedResults
        return challenge
    }

    private var party: StoredChallenge.Party? {
        if let app { return app.session.map { .app($0) } }
        if let browser { return browser.session.map { .browser($0) } }
        return StoredChallenge.Party.none
    }
}

private struct ResultContent: Decodable {
    let time: UInt64
    let status: String
    let reason: String?

    var result: DecidedResult? {
        Timestamp(milliseconds: time).map {
            DecidedResult(time: $0, status: status, reason: reason)
        }
    }
}

private struct AppContent: Decodable {
    let channel: String
    let lastResponse: String?

    var session: StoredChallenge.AppSession? {
        channel.bytesOfBase64.flatMap { SecureChannel.State(encoded: $0) }.map {
            StoredChallenge.AppSession(channel: $0, lastResponse: lastResponse)
        }
    }
}

private struct BrowserContent: Decodable {
    let handle: String
    let notificationURL: String
    let amount: AmountContent?
    let shop: String
    let lastFour: String
    let request: String?
    let sessionData: String?

    var session: StoredChallenge.BrowserSession? {
        // The text was checked before it was sealed: `try?`.
        guard let handle = PageHandle(handle), let shop = try? DisplayText(shop) else {
            return nil
        }
        return StoredChallenge.BrowserSession(
            handle: handle,
            notificationURL: notificationURL,
            amount: amount?.amount,
            shop: shop,
            lastFour: lastFour,
            language: nil,
            request: request.flatMap(\.bytesOfBase64).map {
                .init(digest: $0, sessionData: sessionData)
            }
        )
    }
}

extension String {
    /// Only sealed contents are read, so the reason is not needed: `try?`.
    fileprivate var bytesOfBase64: [UInt8]? { try? TextEncoding.base64.decode(self) }
}
