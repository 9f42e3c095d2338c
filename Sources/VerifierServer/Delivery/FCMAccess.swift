import Cryptography
import HTTPClient
import StrictJSON
import TransactionApproval
import Verification

/// The right to send by FCM: an access token, got for an assertion that the service account signs
/// (RFC 7523, section 2.1), and kept until shortly before its end.
actor FCMAccess {
    private struct Token: Sendable {
        let text: String
        let end: ContinuousClock.Instant
    }

    private typealias Renewal = Task<Result<Token, DeliveryOutcome.Failure>, Never>

    /// Before its end, so that no message is on its way with it by then.
    private static let margin = Duration.seconds(60)
    private static let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"

    private let account: ServiceAccount
    private let client: HTTPClient
    private var current: Token?
    /// Whoever needs a token while one is asked for waits for that one.
    private var renewal: Renewal?

    init(of account: ServiceAccount, over client: HTTPClient) {
        self.account = account
        self.client = client
    }

    /// A token that is good as far as is known here, and not the one that FCM has refused.
    func token(insteadOf refused: String? = nil) async throws(DeliveryOutcome.Failure) -> String {
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
            // Why there is none is told to whoever asked, below.
            current = try? result.get()
        }
        return try result.get().text
    }

    private static func newToken(
        of account: ServiceAccount,
        over client: HTTPClient
    ) async -> Result<Token, DeliveryOutcome.Failure> {
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
            return .failure(.unreadable)
        }
        guard response.status == 200 else { return .failure(.refused(status: response.status)) }
        // What is no such answer is none.
        guard
            let value = try? JSONValue(reading: response.body, limits: .message),
            let text = value["access_token"]?.text,
            case .number(let number)? = value["expires_in"], let life = number.integer(UInt32.self)
        else { return .failure(.unanswered) }
        return .success(Token(text: text, end: start + .seconds(Int64(life)) - margin))
    }
}
