import AuthenticationHandler
import CommandLineTool

extension PendingTransaction {
    /// Amounts and payees, or the title of a request without them.
    var essence: String {
        let sums = amounts.map(\.formatted).joined(separator: " + ")
        let title = title.isolated
        return switch (amounts.isEmpty, payees.isEmpty) {
        case (false, false):
            localized("\(sums) to \(shownPayees)", german: "\(sums) an \(shownPayees)")
        case (false, true):
            localized("\(sums) for \"\(title)\"", german: "\(sums) für \"\(title)\"")
        case (true, false):
            localized("\"\(title)\" with \(shownPayees)", german: "\"\(title)\" mit \(shownPayees)")
        case (true, true): "\"\(title)\""
        }
    }

    /// One line of a list.
    var summary: String {
        let left = localized("\(timeLeft) left", german: "noch \(timeLeft)")
        return amounts.isEmpty && payees.isEmpty
            ? "\(title.isolated) (\(left))" : "\(title.isolated): \(essence) (\(left))"
    }

    /// The account comes first, because a name can have the number of another account.
    private var shownPayees: String {
        let shown = payees.prefix(3).map { "\($0.recipient.words) (\($0.name.isolated))" }
            .joined(separator: "; ")
        guard payees.count > 3 else { return shown }
        let rest = payees.count - 3
        return localized(
            "\(shown); and \(rest) more",
            german: "\(shown); weitere: \(rest)"
        )
    }
}

extension PendingTransaction.Payee.Recipient {
    fileprivate var words: String {
        switch self {
        case .account: description
        case .merchant(let text):
            localized("merchant \(text.isolated)", german: "Händler \(text.isolated)")
        }
    }
}

/// The sentences about requests at a terminal.
enum RequestSentences {
    static func approval(of request: PendingTransaction) -> String {
        localized("Approve \(request.essence)?", german: "Freigeben: \(request.essence)?")
    }

    static func rejection(of request: PendingTransaction) -> String {
        localized(
            "Rejecting the only pending request: \(request.essence).",
            german: "Der einzige offene Auftrag wird abgelehnt: \(request.essence)."
        )
    }

    static func pending(_ count: Int) -> String {
        count == 1
            ? localized("One request is pending:", german: "Ein Auftrag ist offen:")
            : localized("\(count) requests are pending:", german: "\(count) Aufträge sind offen:")
    }

    static var waiting: String {
        localized("Waiting for a request.", german: "Warten auf einen Auftrag.")
    }

    static var returnURLNotAllowed: String {
        localized(
            "The return address is not in the bank's list.",
            german: "Die Adresse für die Rückkehr steht nicht in der Liste der Bank."
        )
    }

    static func returning(to host: String) -> String {
        localized("Continuing at \(host).", german: "Es geht weiter bei \(host).")
    }

    static func returnFailed(_ program: String) -> String {
        localized(
            "The program \(program) did not open the address. Go back to the shop or bank yourself.",
            german: """
                Das Programm \(program) hat die Adresse nicht geöffnet. Kehren Sie selbst zum Shop \
                oder zur Bank zurück.
                """
        )
    }

    static var methodQuestion: String {
        localized("Authentication method?", german: "Art der Bestätigung?")
    }

    static func numberQuestion(_ digits: Int) -> String {
        localized(
            "The \(digits)-digit number that the bank shows:",
            german: "Die \(digits)-stellige Zahl, die die Bank zeigt:"
        )
    }

    static var nothingPending: String {
        localized(
            """
            Nothing is waiting for your decision.
                countersign watch   show requests as they arrive
                countersign --help  show all commands
            """,
            german: """
                Nichts wartet auf Ihre Entscheidung.
                    countersign watch   zeigt Aufträge, sobald sie eintreffen
                    countersign --help  zeigt alle Befehle
                """
        )
    }

    static func beginning(withServer isServerTrusted: Bool) -> String {
        let steps =
            isServerTrusted
            ? localized(
                """
                Ask your bank for an activation id and a code, and run:
                    countersign activate ID
                """,
                german: """
                    Fordern Sie bei Ihrer Bank eine Aktivierungs-ID und einen Code an, dann:
                        countersign activate ID
                    """
            )
            : localized(
                """
                1. Add your bank's server to ~/.config/countersign/countersign.json.
                   An example: countersign help activate
                2. Ask your bank for an activation id and a code, and run:
                       countersign activate ID
                """,
                german: """
                    1. Nennen Sie den Server Ihrer Bank in ~/.config/countersign/countersign.json.
                       Ein Beispiel: countersign help activate
                    2. Fordern Sie bei Ihrer Bank eine Aktivierungs-ID und einen Code an, dann:
                           countersign activate ID
                    """
            )
        return localized(
            """
            No account is set up on this machine yet.
            \(steps)
            countersign --help shows all commands.
            """,
            german: """
                Auf diesem Rechner ist noch kein Zugang eingerichtet.
                \(steps)
                countersign --help zeigt alle Befehle.
                """
        )
    }
}

/// The sentences of `countersign watch`.
enum WatchSentences {
    static var waiting: String {
        localized(
            "Waiting for requests. Press Ctrl-C to end.",
            german: "Warten auf Aufträge. Strg-C beendet."
        )
    }
    static var keys: String {
        localized(
            "y = approve, n = reject, l = decide later, q = quit",
            german: "j = freigeben, n = ablehnen, s = später entscheiden, b = beenden"
        )
    }
    static var help: String {
        localized(
            "Type y, n, l or q, and press Return.",
            german: "Geben Sie j, n, s oder b ein, und drücken Sie die Eingabetaste."
        )
    }

    static func question(_ request: PendingTransaction) -> String {
        let time = request.timeLeft
        return localized(
            "Your decision (\(time) left):",
            german: "Ihre Entscheidung (noch \(time)):"
        )
    }

    static func undecided(_ request: PendingTransaction) -> String {
        localized(
            """
            If it is still pending:
                countersign approve \(request.id)
                countersign reject \(request.id)
            """,
            german: """
                Falls er noch offen ist:
                    countersign approve \(request.id)
                    countersign reject \(request.id)
                """
        )
    }

    static func connection(_ change: ConnectionChange) -> String {
        switch change {
        case .lost(.networkUnavailable), .lost(.responseMissing), .lost(.serverUnavailable):
            localized(
                "There is no connection to the bank. Trying again.",
                german: "Es gibt keine Verbindung zur Bank. Neuer Versuch läuft."
            )
        case .lost(let code):
            localized(
                "\(code.supportSentence) New requests are not shown. Trying again.",
                german: """
                    \(code.supportSentence(in: .german)) Neue Aufträge werden nicht gezeigt. Neuer \
                    Versuch läuft.
                    """
            )
        case .restored:
            localized(
                "The connection to the bank is back.",
                german: "Die Verbindung zur Bank besteht wieder."
            )
        case .ended(let account):
            localized(
                "Requests of \(account) are no longer shown.",
                german: "Aufträge von \(account) werden nicht mehr gezeigt."
            ) + " " + ErrorCode.deviceRevoked.supportSentence(in: .current)
        }
    }

    static var noAccountLeft: String {
        localized(
            "no account is left whose requests can be shown",
            german: "es gibt keinen Zugang mehr, dessen Aufträge gezeigt werden können"
        )
    }
}

extension CommandFailure {
    /// The same about a request that is not on the screen.
    func about(_ request: String?) -> CommandFailure {
        guard let request else { return self }
        return CommandFailure(
            exitCode,
            localized("request \(request): \(message)", german: "Auftrag \(request): \(message)"),
            hint: hint
        )
    }
}
