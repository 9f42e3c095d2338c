import BankIntegration
import StrictJSON
import TransactionApproval

/// The reason why the issuer's API rejects a request: problem details (RFC 9457).
struct IssuerProblem: Encodable, Error, Sendable {
    let type: String
    let title: String
    let status: Int
    let code: IssuerErrorCode
    /// The missing thing of a 404.
    private(set) var resource: IssuerResource?
    /// The rules that content or query break; without values, which can be a card number.
    private(set) var errors: [ProblemError]?
    /// The reference of the card that exists.
    private(set) var card: String?

    private init(_ code: IssuerErrorCode, title: String) {
        (type, self.title) = (Problem.namespace + code.rawValue, title)
        (status, self.code) = (code.status, code)
    }

    init(_ code: IssuerErrorCode) { self.init(code, title: code.title) }

    static func notFound(_ resource: IssuerResource) -> IssuerProblem {
        var problem = IssuerProblem(.notFound, title: resource.title)
        problem.resource = resource
        return problem
    }

    static func query(_ violations: [Violation]) -> IssuerProblem {
        var problem = IssuerProblem(.invalidQuery)
        problem.errors = violations.map { ProblemError(ofQuery: $0.withoutValue) }
        return problem
    }

    static func content(_ violations: [Violation]) -> IssuerProblem {
        var problem = IssuerProblem(.invalidContent)
        problem.errors = violations.map { ProblemError(ofContent: $0.withoutValue) }
        return problem
    }

    init(_ refusal: ContentRefusal) {
        self =
            switch refusal {
            case .unsupportedType: IssuerProblem(.unsupportedContentType)
            case .malformed(.malformed(.tooLarge, _)): IssuerProblem(.contentTooLarge)
            case .malformed: IssuerProblem(.malformedContent)
            case .invalid(let violations): .content(violations)
            }
    }

    init(_ refusal: CardRefusal) {
        let violation: Violation
        switch refusal {
        case .otherAccount(let reference):
            self.init(.cardOfOtherAccount)
            card = reference.text
            return
        case .malformedNumber: violation = Violation(refusal, "/number", "badCardNumber")
        case .wrongCheckDigit: violation = Violation(refusal, "/number", "badCheckDigit")
        case .outsideRanges: violation = Violation(refusal, "/number", "outsideRanges")
        case .otherEnterprise: violation = Violation(refusal, "/account", "otherEnterprise")
        case .numberAsAccount: violation = Violation(refusal, "/account", "numberAsAccount")
        }
        self = .content([violation])
    }
}

/// The missing thing of a 404.
///
/// Programs of the issuer depend on the raw values.
enum IssuerResource: String, CaseIterable, Encodable, Sendable {
    case path, card, challenge, notification

    /// For developers of the issuer's programs.
    var title: String {
        switch self {
        case .path: "This API has no such path."
        case .card: "There is no card with this reference."
        case .challenge: "There is no challenge with this acsTransID."
        case .notification: "There is no undelivered notification of this challenge."
        }
    }
}

extension Violation {
    fileprivate init(_ refusal: CardRefusal, _ pointer: String, _ rule: String) {
        let reason = refusal.reason
        let sentence = reason.prefix(1).uppercased() + reason.dropFirst() + "."
        self.init(pointer, Rule(rawValue: rule), sentence)
    }

    /// Without anything that could be a card number: a program can also write it as a name.
    fileprivate var withoutValue: Violation {
        let shown = rule == .unknown ? String(pointer.map { $0.isNumber ? "#" : $0 }) : pointer
        return Violation(shown, rule, sentence)
    }
}
