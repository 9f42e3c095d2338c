import AuthenticationHandler
import CommandLineTool

/// The sentences about PINs at a terminal.
enum PINSentences {
    static var newPIN: String { localized("new PIN", german: "neue PIN") }
    static var newPINAgain: String { localized("new PIN, again", german: "neue PIN, noch einmal") }
    static var oldPIN: String { localized("old PIN", german: "alte PIN") }
    static var wayOut: String {
        localized(
            "Try again, or press Ctrl-C to leave.",
            german: "Versuchen Sie es erneut, oder beenden Sie mit Strg-C."
        )
    }
    static var retry: String { localized("Try again?", german: "Noch einmal versuchen?") }

    /// The rule for a new PIN, before it is typed.
    static func rule(_ digitCounts: ClosedRange<Int>) -> String {
        let (minimum, maximum) = (digitCounts.lowerBound, digitCounts.upperBound)
        let length =
            minimum == maximum
            ? localized(
                "Choose a PIN of \(minimum) digits.",
                german: "Wählen Sie eine PIN mit \(minimum) Ziffern."
            )
            : localized(
                "Choose a PIN of \(minimum) to \(maximum) digits.",
                german: "Wählen Sie eine PIN mit \(minimum) bis \(maximum) Ziffern."
            )
        let refused = localized(
            "Repeated digits, sequences, dates and the most common PINs are refused.",
            german:
                "Wiederholungen, Folgen, Datumsangaben und die häufigsten PINs sind nicht erlaubt."
        )
        return "\(length) \(refused)"
    }

    static func changed(_ account: Account) -> String {
        localized("changed \(account)", german: "geändert: \(account)")
    }

    static var samePINsHint: String {
        localized(
            "run countersign change-pin again with the same two PINs",
            german: "rufen Sie countersign change-pin erneut mit denselben beiden PINs auf"
        )
    }

    static func oldPINRemains(_ account: Account) -> String {
        localized(
            "\(account) still has the old PIN",
            german: "\(account) hat noch die alte PIN"
        )
    }

    static func pinUnknown(_ account: Account) -> String {
        localized(
            "it is unknown whether \(account) has the old PIN or the new PIN",
            german: "es ist unbekannt, ob \(account) die alte oder die neue PIN hat"
        )
    }
}

extension CommandFailure {
    init(_ rule: PINPolicy.Rule) {
        let (message, hint) = rule.messageAndHint
        self.init(.refused, message, hint: hint)
    }

    static var differentPINs: CommandFailure {
        CommandFailure(
            .refused,
            localized(
                "the two PINs are different",
                german: "die beiden PINs sind verschieden"
            )
        )
    }

    static var samePIN: CommandFailure {
        CommandFailure(
            .refused,
            localized(
                "the new PIN is the same as the old PIN",
                german: "die neue PIN ist dieselbe wie die alte PIN"
            ),
            hint: localized("choose another PIN", german: "wählen Sie eine andere PIN")
        )
    }

    /// The end of the program while the change is sent.
    static var unknownPINChange: CommandFailure {
        CommandFailure(
            .interrupted,
            localized(
                "it is unknown whether the PIN was changed",
                german: "es ist unbekannt, ob die PIN geändert wurde"
            ),
            hint: PINSentences.samePINsHint
        )
    }

    static var noCommonPIN: CommandFailure {
        CommandFailure(
            .refused,
            localized(
                "the banks of your accounts require PINs of different lengths",
                german: "die Banken Ihrer Zugänge verlangen PINs verschiedener Länge"
            ),
            hint: localized(
                "ask one of the banks to change its policy",
                german: "bitten Sie eine der Banken, ihre Regel zu ändern"
            )
        )
    }

    static func oldPINRemains(
        _ account: Account,
        because reason: CommandFailure
    ) -> CommandFailure {
        unfinishedPINChange(PINSentences.oldPINRemains(account), reason)
    }

    static func pinUnknown(
        _ account: Account,
        because reason: CommandFailure
    ) -> CommandFailure {
        unfinishedPINChange(PINSentences.pinUnknown(account), reason)
    }

    /// The account has neither the old PIN nor the new PIN.
    static func otherOldPIN(_ account: Account, _ error: AuthenticationError) -> CommandFailure {
        CommandFailure(
            .refused,
            localized("\(account) has another PIN", german: "\(account) hat eine andere PIN")
                + error.details,
            hint: localized(
                "run countersign change-pin again, with the PIN of \(account) as the old PIN",
                german: """
                    rufen Sie countersign change-pin erneut auf, mit der PIN von \(account) als alter PIN
                    """
            )
        )
    }

    /// An earlier change gave an account another new PIN.
    static func otherNewPIN(_ error: AuthenticationError) -> CommandFailure {
        let failure = CommandFailure(error)
        guard let account = error.account else { return failure }
        return CommandFailure(
            failure.exitCode,
            localized(
                "\(account) already has another new PIN",
                german: "\(account) hat schon eine andere neue PIN"
            ) + error.details,
            hint: localized(
                "run countersign change-pin again, with the PIN of \(account) as the new PIN",
                german: """
                    rufen Sie countersign change-pin erneut auf, mit der PIN von \(account) als neuer PIN
                    """
            )
        )
    }

    private static func unfinishedPINChange(
        _ result: String,
        _ reason: CommandFailure
    ) -> CommandFailure {
        CommandFailure(
            reason.exitCode,
            "\(result): \(reason.message)",
            hint: PINSentences.samePINsHint
        )
    }
}

extension PINPolicy.Rule {
    fileprivate var messageAndHint: (message: String, hint: String) {
        let check = localized(
            "check the PIN, and try again",
            german: "prüfen Sie die PIN, und versuchen Sie es erneut"
        )
        let choose = localized("choose another PIN", german: "wählen Sie eine andere PIN")
        return switch self {
        case .notDigits:
            (
                localized(
                    "the PIN contains characters that are not digits",
                    german: "die PIN enthält Zeichen, die keine Ziffern sind"
                ), check
            )
        case .tooShort: (localized("the PIN is too short", german: "die PIN ist zu kurz"), check)
        case .tooLong: (localized("the PIN is too long", german: "die PIN ist zu lang"), check)
        case .repeated:
            (localized("the PIN repeats digits", german: "die PIN wiederholt Ziffern"), choose)
        case .sequence:
            (
                localized(
                    "the digits of the PIN are a sequence",
                    german: "die Ziffern der PIN sind eine Folge"
                ), choose
            )
        case .date: (localized("the PIN is a date", german: "die PIN ist ein Datum"), choose)
        case .commonlyChosen:
            (
                localized(
                    "the PIN is one of the most common PINs",
                    german: "die PIN gehört zu den häufigsten PINs"
                ), choose
            )
        }
    }
}

/// The input that a failed authentication proves wrong.
enum WrongInput {
    case pin, number, pinOrNumber
    /// No person typed it.
    case other

    init(_ type: AuthenticationType, withNumber hasNumber: Bool) {
        self =
            switch (type, hasNumber) {
            case (.userPIN, false): .pin
            case (.userPIN, true): .pinOrNumber
            case (_, true): .number
            default: .other
            }
    }

    /// A part of a message: `countersign: the PIN is wrong (4 attempts left)`.
    var message: String {
        switch self {
        case .pin: localized("the PIN is wrong", german: "die PIN ist falsch")
        case .number: localized("the number is wrong", german: "die Zahl ist falsch")
        case .pinOrNumber:
            localized("the PIN or the number is wrong", german: "die PIN oder die Zahl ist falsch")
        case .other:
            localized(
                "the bank did not accept the authentication",
                german: "die Bank hat die Bestätigung nicht angenommen"
            )
        }
    }

    func hint(attemptsLeft: Int?) -> String { attemptsLeft == 1 ? lastAttempt : hint }

    func sentence(attemptsLeft: Int) -> String {
        guard attemptsLeft == 1 else {
            return localized(
                "\(attemptsLeft) attempts are left.",
                german: "Es bleiben \(attemptsLeft) Versuche."
            )
        }
        let warning = CommandFailure(.refused, lastAttempt).sentence
        return localized(
            """
            One attempt is left. \(warning) The bank can end a temporary lock. After a permanent lock, \
            you need a new activation.
            """,
            german: """
                Es bleibt ein Versuch. \(warning) Die Bank kann eine befristete Sperre beenden. Nach \
                einer dauerhaften Sperre brauchen Sie eine neue Aktivierung.
                """
        )
    }

    /// The result of another failure: the device does not know how many locks preceded, nor how many
    /// of them the policy makes temporary.
    private var lastAttempt: String {
        switch self {
        case .pin, .pinOrNumber:
            localized(
                "another failure locks the PIN for at least 30 minutes, or permanently",
                german: """
                    ein weiterer Fehler sperrt die PIN für mindestens 30 Minuten oder für immer
                    """
            )
        case .number, .other:
            localized(
                """
                another failure locks this authentication method for at least 30 minutes, or the \
                device permanently
                """,
                german: """
                    ein weiterer Fehler sperrt diese Art der Bestätigung für mindestens 30 Minuten \
                    oder das Gerät für immer
                    """
            )
        }
    }

    private var hint: String {
        switch self {
        case .pin:
            localized(
                "check the PIN, and try again",
                german: "prüfen Sie die PIN, und versuchen Sie es erneut"
            )
        case .number:
            localized(
                "check the number that the bank shows, and try again",
                german: "prüfen Sie die Zahl, die die Bank zeigt, und versuchen Sie es erneut"
            )
        case .pinOrNumber:
            localized(
                "check the PIN and the number that the bank shows, and try again",
                german: "prüfen Sie die PIN und die Zahl der Bank, und versuchen Sie es erneut"
            )
        case .other:
            localized(
                "try again, or use another authentication method",
                german: "versuchen Sie es erneut, oder wählen Sie eine andere Art der Bestätigung"
            )
        }
    }
}
