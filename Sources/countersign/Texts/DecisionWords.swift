import AuthenticationHandler
import CommandLineTool

/// A decision that a person types at a prompt.
enum PromptedDecision {
    case approve, reject, later

    static var words: [(word: String, value: PromptedDecision)] {
        [
            (localized("approve", german: "freigeben"), .approve),
            (localized("reject", german: "ablehnen"), .reject),
            (localized("later", german: "später"), .later),
        ]
    }
}

extension WatchQuestion.Decision {
    /// Words that the person can type, or begin.
    static var words: [(word: String, decision: Self)] {
        [
            (localized("yes", german: "ja"), .approve),
            (localized("approve", german: "freigeben"), .approve),
            (localized("no", german: "nein"), .reject),
            (localized("reject", german: "ablehnen"), .reject),
            (localized("later", german: "später"), .later),
            (localized("quit", german: "beenden"), .quit),
        ]
    }
}

extension Method {
    /// The word that a person types at a prompt.
    var word: String {
        switch self {
        case .pin: "pin"
        case .biometric: localized("biometric", german: "biometrisch")
        case .consent: localized("consent", german: "zustimmung")
        }
    }
}

extension ApprovalResult.Outcome {
    /// The line after a decision; nil without one.
    func sentence(about request: String) -> String? {
        switch self {
        case .approved: localized("approved \(request)", german: "freigegeben: \(request)")
        case .rejected: localized("rejected \(request)", german: "abgelehnt: \(request)")
        case .undecided: nil
        }
    }
}
