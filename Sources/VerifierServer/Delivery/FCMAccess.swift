import BankIntegration
import HTTPClient
import ServerOperation
import StrictJSON
import TransactionApproval
import Verification

/// The access token for FCM, which the service account requests with a signed assertion (RFC 7523,
/// section 2.1). It is kept until shortly before it expires.
actor FCMAccess {
    private struct Token: Sendable {
        let text: String
        let end: ContinuousClock.Instant
    }

    private typealias Renewal = Task<Result<Token, SendResult.Failure>, Never>

    /// So that no token expires while a message is on its way.
    private static let margin = Duration.seconds(60)
    private static let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"

    private let account: ServiceAccount
    private let client: HTTPClient
    private var current: Token?
    /// The request in progress, which all callers share.
    private var renewal: Renewal?

    init(of account: ServiceAccount, over client: HTTPClient) {
        self.account = account
        self.client = client
    }

    /// A valid token other than the one that FCM refused.
    func token(insteadOf refused: String? = nil) async throws(SendResult.Failure) -> String {
        if let current, current.text != refused, .now < current.end { return current.text }
        let renewal =
            renewal
            ?? Renewal { [account, client] in
                await Self.newToken(of: account, over: client)
            }
        self.renewal = renewal
        let result = await renewal.value
        if self.renewal == renewal {
            self.renewal = nil
            // The callers get the reason below.
            current = try? result.get()
        }
        return try result.get().text
    }

    private static func newToken(
        of account: ServiceAccount,
        over client: HTTPClient
    ) async -> Result<Token, SendResult.Failure> {
        let start = ContinuousClock.now
        let response: HTTPResponse
        do {
            let assertion = try account.assertion(at: .ofWallClock)
            let form = Array("grant_type=\(grant)&assertion=\(assertion)".utf8)
            let type = HTTPHeaderLine("Content-Type", "application/x-www-form-urlencoded")
            response = try await client.send(
                HTTPRequest(.post(form), account.tokenURL, headers: [type])
            )
        } catch let failure as HTTPFailure {
            return .failure(.init(failure))
        } catch {
            return .failure(.unavailable)
        }
        guard response.status == 200 else { return .failure(.refused(status: response.status)) }
        // An invalid response counts as none.
        guard
            let value = try? JSONValue(reading: response.body, limits: .message),
            let text = value["access_token"]?.text,
            case .number(let number)? = value["expires_in"], let life = number.integer(UInt32.self)
        else { return .failure(.noResponse) }
        return .success(Token(text: text, end: start + .seconds(Int64(life)) - margin))
    }
}
