import BankIntegration
import HTTPServer
import ThreeDSProtocol
import Transactions

/// A request with the token of the issuer.
struct IssuerRequest: Sendable {
    let service: IssuerService
    let message: Request
    let match: IssuerRoute.Match

    var query: Query { match.query }

    // The path pattern accepts only the characters of this identifier.
    var card: CardReference { CardReference(checked: match.names[.card] ?? "") }

    /// Nil if no challenge can have it.
    var challenge: ChallengeID? { ChallengeID(match.names[.challenge] ?? "") }
}

/// The parameters of paths.
enum IssuerPathName: String, CaseIterable, PathParameter {
    case card, challenge
}
