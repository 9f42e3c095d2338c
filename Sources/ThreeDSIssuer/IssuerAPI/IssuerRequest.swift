import BankIntegration
import HTTPServer
import ThreeDSProtocol
import Transactions

/// A request with the token of the issuer.
struct IssuerRequest: Sendable {
    let service: IssuerService
    let message: Request
    let match: IssuerRoute.Match

    var query: RequestQuery { match.query }

    // The path pattern accepts only the characters of this identifier.
    var card: CardReference { CardReference(checked: match.names[.card] ?? "") }

    /// Method, target and body under the idempotency key; nil without a key.
    var keyedCall: Result<KeyedCall?, IssuerProblem> {
        let values = message.values(of: "idempotency-key")
        guard !values.isEmpty else { return .success(nil) }
        guard values.count == 1, let key = IdempotencyKey(values[0]) else {
            return .failure(IssuerProblem(.idempotencyKeyMalformed))
        }
        var content = FieldWriter(reserving: message.body.count + 256)
        content.append(message.method)
        content.append(message.target)
        content.append(message.body)
        return .success(KeyedCall(key: key, content: content.bytes))
    }

    /// Nil if no challenge can have it.
    var challenge: ChallengeID? { ChallengeID(match.names[.challenge] ?? "") }
}

/// The parameters of paths.
enum IssuerPathName: String, CaseIterable, PathParameter {
    case card, challenge
}
