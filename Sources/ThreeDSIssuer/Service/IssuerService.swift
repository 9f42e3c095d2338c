package import BankIntegration
package import Cryptography
package import JOSE
package import Storage
import ThreeDSProtocol
package import Transactions

/// An access control server without its listeners: messages in, messages out, and work in between.
///
/// Each step reads a row, and writes it in a transaction that changes nothing if another step was
/// faster. So it cannot matter which node takes it. Calls of the verifier and of directory servers
/// are made between such steps, and each of them can be repeated.
package struct IssuerService: Sendable {
    package typealias Clock = @Sendable () -> Timestamp

    let store: IssuerStore
    let verifier: VerifierClient
    package let directories: [DirectoryID: ServedDirectory]
    package let settings: IssuerSettings
    let addresses: ChallengeAddresses
    /// Gets an event of each result; nil for none.
    let webhook: Webhook?
    let clock: Clock
    let changes = ChallengeChanges()
    let liveCount: LiveCount
    package let observer: IssuerObserver

    package init(
        _ store: IssuerStore,
        asking verifier: VerifierClient,
        for directories: [ServedDirectory],
        at addresses: ChallengeAddresses,
        by settings: IssuerSettings,
        notifying webhook: Webhook? = nil,
        clock: @escaping Clock,
        observer: IssuerObserver = .none
    ) {
        self.store = store
        self.verifier = verifier
        self.directories = Dictionary(directories.map { ($0.id, $0) }) { $1 }
        self.addresses = addresses
        self.settings = settings
        self.webhook = webhook
        self.clock = clock
        liveCount = LiveCount(clock: clock)
        self.observer = observer
    }
}

/// A directory server that the ACS serves, with everything that messages with it need.
package struct ServedDirectory: Sendable {
    package typealias Sender =
        @Sendable (_ message: [UInt8]) async throws(ResultFailure) -> [UInt8]

    package let cards: CardDirectory
    /// Signs `acsSignedContent`.
    let signer: JWS.Signer
    /// The keys of the certificates that it shows as a client.
    let clientKeys: [Certificate.PublicKey]
    /// Sends an RReq or an error message, and returns the response.
    let send: Sender
    /// Sends to the `dsURL` of an AReq; nil for one of another server than the configured one, and
    /// for the configured address itself.
    let senderTo: @Sendable (_ dsURL: String) -> Sender?
    /// How long a response takes at most, from the end of the TLS handshake.
    let responseTime: Duration

    package var id: DirectoryID { cards.id }

    package init(
        _ cards: CardDirectory,
        signer: JWS.Signer,
        clientKeys: [Certificate.PublicKey],
        respondingWithin responseTime: Duration = ProtocolTimer.resultsResponse.duration,
        sendingResultsTo senderTo: @escaping @Sendable (_ dsURL: String) -> Sender? = { _ in nil },
        sendingResultsBy send: @escaping Sender
    ) {
        self.cards = cards
        self.signer = signer
        self.clientKeys = clientKeys
        self.send = send
        (self.senderTo, self.responseTime) = (senderTo, responseTime)
    }

    /// The directory did not respond to an RReq with a status of success.
    package struct ResultFailure: Error, Equatable, Sendable {
        /// For the log.
        package let reason: String
        /// Whether the RReq was sent, and no response came in time.
        let isTimeout: Bool
        /// Of a response with another status.
        let body: [UInt8]

        package init(_ reason: String, isTimeout: Bool = false, body: [UInt8] = []) {
            (self.reason, self.isTimeout, self.body) = (reason, isTimeout, body)
        }
    }

    /// Sends to the address of the AReq, if the configuration still allows it.
    func sender(to dsURL: String?) -> Sender { dsURL.flatMap { senderTo($0) } ?? send }

    /// How long the connection to a directory takes at most, with the TLS handshake.
    package static let connectionTime = Duration.seconds(5)
}

/// The public addresses of challenges.
package struct ChallengeAddresses: Sendable {
    static let appPath = "/3ds/challenge"
    static let browserPath = "/3ds/browser"
    package static let pagePath = "/3ds/page/"
    static let methodPath = "/3ds/method"

    /// `https://HOST`, or with a port.
    let origin: String
    /// Whether shops on this machine may use plain HTTP.
    let isSandbox: Bool

    package init(origin: String, isSandbox: Bool) {
        (self.origin, self.isSandbox) = (origin, isSandbox)
    }

    var app: String { origin + Self.appPath }
    var browser: String { origin + Self.browserPath }
}

/// Gets what an operator should know, without any fact about a person or a card.
package struct IssuerObserver: Sendable {
    package enum Event: Equatable, Sendable {
        /// The verifier did not respond as the ACS needs it; nil for a call about several, or before
        /// there is an authentication. The card is named if the verifier refused a call about it.
        case verifierFailed(VerifierFailure, authentication: String?, card: CardReference? = nil)
        /// An RReq was not acknowledged, for the given number of times.
        case resultFailed(authentication: String, reason: String, count: Int)
        /// An RReq will no longer be sent.
        case resultGivenUp(authentication: String)
        /// With the code of the error message.
        case resultRefused(authentication: String, code: String)
        /// No valid RRes came. The directory gets an error message with this code; `errorFailure` is
        /// the reason if it does not.
        case resultUnacknowledged(authentication: String, code: String, errorFailure: String?)
        /// A directory sent an error message; `unknown` unless it is about an authentication of it.
        case errorReceived(authentication: String, code: String, endsChallenge: Bool)
        /// An event did not reach the issuer, for the given number of times.
        case eventFailed(authentication: String, reason: String, count: Int)
        /// An event will no longer be sent.
        case eventGivenUp(authentication: String)
        case storeFailed(StoreFailure)
    }

    let report: @Sendable (Event) -> Void

    package init(_ report: @escaping @Sendable (Event) -> Void) { self.report = report }

    package static let none = IssuerObserver { _ in }
}
