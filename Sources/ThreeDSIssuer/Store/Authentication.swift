import Cryptography
import Localization
import ThreeDSProtocol
package import Transactions

/// One authentication from its AReq to its end.
package struct Authentication: Sendable {
    package let facts: CardAuthentication
    package let directory: DirectoryID
    /// Nil for a card that the issuer does not know.
    package let card: CardReference?
    package let made: Timestamp
    /// A keyed hash of the AReq, by which a repeated one is recognised.
    let requestDigest: [UInt8]
    /// The purchase to which an authentication value is bound; nil if there never is one.
    var purchase: AuthenticatedPurchase?
    /// Why the purchase is authenticated; nil until it is.
    var basis: AuthenticationBasis?
    /// The number of the key of the authentication value.
    var valueKey: UInt8?
    /// Whether an authorisation has used the value.
    var isValueUsed = false
    var challenge: StoredChallenge?
    /// The `dsURL` of the AReq, if results go there instead of to the configured address.
    var dsURL: String?

    package var id: String { facts.acsTransID }

    /// The `dsTransID` by which the row is found, in lower case.
    ///
    /// Letters of either case write the same identifier (RFC 9562, section 4). Messages have it as
    /// the directory server wrote it.
    var directoryKey: String? { facts.ids.directory?.lowercased() }
}

/// A challenge with everything that its responses need.
package struct StoredChallenge: Sendable {
    var progress: Challenge
    let account: CardAccount
    /// `ApprovalRequest.document` as it is sent, since the first CReq with the way back to the shop's
    /// app.
    ///
    /// A repeated call must have the same content.
    var document: [UInt8]
    /// `ApprovalRequest.summary`.
    let summary: String
    /// Nil until the verifier has it.
    var transaction: RequestedTransaction?
    /// The calls that order it and may have reached the verifier, as far as is known.
    ///
    /// Each is counted before it is sent, so a crash leaves it counted.
    var openOrders = 0
    /// When the transaction expires at the verifier, at the latest.
    var approvalEnd: Timestamp?
    /// Whether nothing notifies the person, as the readiness stated.
    let isMuted: Bool
    var hasShownPage = false
    var party: Party
    /// `ApprovalRequest.laterPayments`.
    var laterPayments: LaterPayments?
    /// Nil until the challenge has its result; it stays after the end.
    var result: DecidedResult?
    /// Whether the result was sent before the transaction could be withdrawn.
    var isLeftToWithdraw = false
    /// When the RReq is sent next.
    var resultDue: Timestamp?
    var failedResults = 0
    /// The transaction of the last request that expired.
    var expiredTransaction: TransactionID?
    /// How long the person has for the present request, if that is less than the document states.
    var shortenedSeconds: Int?
    /// When the transaction is ordered again after a call that failed.
    var orderDue: Timestamp?
    /// Why the result is not sent again; nil for any other reason than these.
    var endOfDelivery: EndOfDelivery?
    /// The Erro that ended the challenge, in version 2.3.1.
    var error: [UInt8]?

    /// The shopper's side.
    enum Party: Sendable {
        case app(AppSession)
        case browser(BrowserSession)
        /// The shopper does not wait.
        case none
    }

    /// How a delivery ended without an RRes.
    enum EndOfDelivery: Equatable, Sendable {
        /// The directory server refused the result with an error message.
        case refused
        /// No valid RRes came in time; an operator can send this result again.
        case unacknowledged(ResultReport)
    }

    /// The secure channel, apart from its key.
    struct AppSession: Sendable {
        var channel: SecureChannel.State
        /// The last sealed CRes, for a repeated CReq.
        var lastResponse: [UInt8]?
    }

    struct BrowserSession: Sendable {
        let handle: PageHandle
        let notificationURL: String
        let amount: Amount?
        let shop: DisplayText
        let lastFour: String
        /// The language of the browser; nil for the language of the configuration.
        let language: Language?
        /// The first CReq with its session data; nil until it comes.
        var request: Entrance?

        struct Entrance: Equatable, Sendable {
            let digest: [UInt8]
            let sessionData: String?
        }
    }
}

extension StoredChallenge {
    /// The transaction whose end is awaited; nil if there is none.
    var awaited: TransactionID? {
        switch progress.state {
        case _ where isLeftToWithdraw: transaction?.id
        case .asked, .withdrawing: transaction?.id
        case .promised, .unanswered, .decided, .reported, .ended: nil
        }
    }

    /// The present transaction, or the last one that expired.
    var latestTransaction: TransactionID? { transaction?.id ?? expiredTransaction }

    /// When the verifier must be called without a message of a shopper; nil if never.
    var callDue: Timestamp? {
        if isEnding { return .earliest }
        guard progress.state == .asked, transaction == nil, let asked = progress.requests.last
        else { return nil }
        // In other flows, a message of the shopper calls the verifier at first.
        let pause = progress.flow == .decoupled ? .zero : Self.shortestPause
        return max(Timestamp(of: asked) + pause, orderDue ?? .earliest)
    }

    private static let shortestPause = Duration.seconds(5)
    private static let longestPause = Duration.seconds(60)

    /// Notes that an order failed: the longer the person has waited, the later is the next one.
    mutating func noteFailedOrder(at now: Timestamp) {
        progress.correctTimes(at: now.sinceStart)
        let waited = progress.requests.last.map { now.elapsed(since: Timestamp(of: $0)) } ?? .zero
        orderDue = now + min(max(waited / 2, Self.shortestPause), Self.longestPause)
    }

    /// The result that an RReq has; nil if there is none to send.
    var sentReport: ResultReport? {
        if case .unacknowledged(let report)? = endOfDelivery { return report }
        guard case .decided(let report) = progress.state else { return nil }
        return report
    }

    /// Whether it ends without a decision of the person.
    var isEnding: Bool {
        if case .withdrawing = progress.state { true } else { isLeftToWithdraw }
    }

    /// When a transaction that is left to withdraw has expired; nil if none is left.
    var endOfWithdrawals: Timestamp? {
        guard isLeftToWithdraw else { return nil }
        // Without a result, it ended soon after the last request.
        let asked = progress.requests.last.map { Timestamp(of: $0) }
        return approvalEnd ?? (result?.time ?? asked).map { $0 + .seconds(Self.longestApproval) }
    }

    /// The maximum of the bank's API, and some time to create it.
    private static let longestApproval = 660

    /// When the clock of the challenge must be read.
    var due: Timestamp? {
        progress.due.map { Timestamp(of: $0) }
    }
}

extension Timestamp {
    /// The times of a challenge count from 1970.
    var sinceStart: Duration { .milliseconds(Int64(milliseconds)) }

    init(of time: Duration) { self = .earliest + time }
}
