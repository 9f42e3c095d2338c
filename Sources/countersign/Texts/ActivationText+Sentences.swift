import AuthenticationHandler
import CommandLineTool

extension ActivationText {
    static var textPrompt: String {
        localized("activation id or QR code text", german: "Aktivierungs-ID oder Text des QR-Codes")
    }
    static var hintWithoutTerminal: String {
        localized(
            "give ACTIVATION as an argument, and the code and the PIN with --pin-fd",
            german: "geben Sie AKTIVIERUNG als Argument an, Code und PIN mit --pin-fd"
        )
    }
    static var codePrompt: String { localized("activation code", german: "Aktivierungscode") }
    static var fingerprintQuestion: String {
        localized(
            "Did your bank publish this fingerprint?",
            german: "Hat Ihre Bank diesen Fingerabdruck veröffentlicht?"
        )
    }

    /// The lines before the code is typed, or before a scanned code is used.
    static func server(
        _ server: TrustedServer,
        beforeCode isCodeTyped: Bool
    ) throws(CommandFailure) -> String {
        let fingerprint: String
        do throws(AuthenticationError) {
            fingerprint = try server.fingerprint
        } catch {
            throw CommandFailure(error)
        }
        let lines = localized(
            """
            The bank's server is \(server.originText).
            The fingerprint of its key is \(fingerprint).
            """,
            german: """
                Der Server der Bank ist \(server.originText).
                Der Fingerabdruck seines Schlüssels ist \(fingerprint).
                """
        )
        let rule = localized(
            "Type the code only if your bank published the same fingerprint.",
            german: """
                Geben Sie den Code nur ein, wenn Ihre Bank denselben Fingerabdruck veröffentlicht hat.
                """
        )
        return isCodeTyped ? "\(lines)\n\(rule)" : lines
    }

    /// The line before the PIN is typed.
    static func accounts(_ accounts: [Account]) -> String {
        let names = accounts.map(\.description).joined(separator: ", ")
        return accounts.count == 1
            ? localized(
                "The bank set up this account for you: \(names).",
                german: "Die Bank hat diesen Zugang für Sie eingerichtet: \(names)."
            )
            : localized(
                "The bank set up these accounts for you: \(names).",
                german: "Die Bank hat diese Zugänge für Sie eingerichtet: \(names)."
            )
    }

    /// The line about accounts on this device that are useless until they are set up again.
    static func lost(_ accounts: [Account]) -> String {
        let names = accounts.map(\.description).joined(separator: ", ")
        return localized(
            "This device can no longer approve for \(names). It is set up again.",
            german: """
                Dieses Gerät kann für \(names) nichts mehr freigeben. Es wird neu eingerichtet.
                """
        )
    }

    static func pinPrompt(of account: Account) -> String {
        localized("PIN of \(account)", german: "PIN von \(account)")
    }

    static func activated(_ account: Account) -> String {
        localized("activated \(account)", german: "eingerichtet: \(account)")
    }
}

extension CommandFailure {
    static func notActivated(_ account: Account, _ outcome: EnrolmentOutcome) -> CommandFailure {
        let reason = outcome.reason
        return CommandFailure(
            .refused,
            localized(
                "\(account) is not activated: \(reason)",
                german: "\(account) ist nicht eingerichtet: \(reason)"
            )
        )
    }

    /// No PIN breaks the rules of all banks, except those about its length.
    ///
    /// All accounts have one PIN, so it must have the length that the bank of the new one requires.
    static func existingPIN(
        of account: Account,
        breaks rule: PINPolicy.Rule?,
        of policy: PINPolicy
    ) -> CommandFailure {
        switch rule {
        case .tooShort?, .tooLong?: otherLengthRequired(policy.digitCounts)
        default:
            CommandFailure(
                .refused,
                localized(
                    "this cannot be the PIN of \(account)",
                    german: "das kann nicht die PIN von \(account) sein"
                ),
                hint: localized(
                    "check the PIN, and try again",
                    german: "prüfen Sie die PIN, und versuchen Sie es erneut"
                )
            )
        }
    }

    private static func otherLengthRequired(_ digitCounts: ClosedRange<Int>) -> CommandFailure {
        let (minimum, maximum) = (digitCounts.lowerBound, digitCounts.upperBound)
        let digits =
            minimum == maximum
            ? "\(minimum)"
            : localized("\(minimum) to \(maximum)", german: "\(minimum) bis \(maximum)")
        return CommandFailure(
            .refused,
            localized(
                """
                the bank requires a PIN of \(digits) digits: change any other PIN with countersign \
                change-pin first
                """,
                german: """
                    die Bank verlangt eine PIN mit \(digits) Ziffern: ändern Sie eine andere zuerst \
                    mit countersign change-pin
                    """
            ),
            hint: localized(
                "then repeat the activation",
                german: "wiederholen Sie dann die Aktivierung"
            )
        )
    }

    static var noActivationID: CommandFailure {
        CommandFailure(
            .malformedInput,
            localized(
                "this is not an activation id and not the text of a QR code",
                german: "das ist weder eine Aktivierungs-ID noch der Text eines QR-Codes"
            ),
            hint: localized(
                "an activation id has 10 letters and digits, such as 8QK3M5TX0B",
                german: "eine Aktivierungs-ID hat 10 Buchstaben und Ziffern, wie 8QK3M5TX0B"
            )
        )
    }

    static var linkForBrowser: CommandFailure {
        CommandFailure(
            .malformedInput,
            localized(
                "this link is for a web browser, not for this program",
                german: "dieser Link ist für einen Webbrowser, nicht für dieses Programm"
            ),
            hint: localized(
                "open it in a browser, or ask your bank for an activation of this program",
                german: """
                    öffnen Sie ihn im Browser, oder fordern Sie eine Aktivierung für dieses Programm an
                    """
            )
        )
    }

    static var incompleteQRCode: CommandFailure {
        CommandFailure(
            .malformedInput,
            localized(
                "the text of the QR code is damaged or incomplete",
                german: "der Text des QR-Codes ist beschädigt oder unvollständig"
            ),
            hint: localized(
                "copy the whole text, which begins with countersign-activation:",
                german: "kopieren Sie den ganzen Text; er beginnt mit countersign-activation:"
            )
        )
    }

    static var otherFingerprint: CommandFailure {
        CommandFailure(
            .refused,
            localized("nothing was activated", german: "nichts wurde eingerichtet"),
            hint: localized(
                "ask your bank for the fingerprint of its key",
                german: "fragen Sie Ihre Bank nach dem Fingerabdruck ihres Schlüssels"
            )
        )
    }

    static var mistypedActivationCode: CommandFailure {
        CommandFailure(
            .malformedInput,
            localized(
                "the activation code has a typing error",
                german: "der Aktivierungscode enthält einen Tippfehler"
            ),
            hint: localized(
                "check every character, or ask for a new code",
                german: "prüfen Sie jedes Zeichen, oder fordern Sie einen neuen Code an"
            )
        )
    }

    /// The bank does not report which of the two is wrong.
    static var activationRefused: CommandFailure {
        CommandFailure(
            .refused,
            localized(
                "the bank does not accept this activation id with this code",
                german: "die Bank akzeptiert diese Aktivierungs-ID mit diesem Code nicht"
            ),
            hint: localized(
                "check both, or ask the bank for a new activation",
                german: "prüfen Sie beides, oder fordern Sie eine neue Aktivierung an"
            )
        )
    }

    static var codeInArgument: CommandFailure {
        CommandFailure(
            .usage,
            localized(
                "an argument must not contain the activation code",
                german: "ein Argument darf den Aktivierungscode nicht enthalten"
            ),
            hint: localized(
                "ask the bank for a new code, and type it at the prompt",
                german: "fordern Sie einen neuen Code an, und geben Sie ihn auf Nachfrage ein"
            )
        )
    }

    static var serverNotTrusted: CommandFailure {
        CommandFailure(
            .noInput,
            localized(
                "this server is not trusted yet",
                german: "dieser Server gilt noch nicht als vertrauenswürdig"
            ),
            hint: localized(
                "add it to the settings file; see countersign help activate",
                german: "ergänzen Sie ihn in den Einstellungen; siehe countersign help activate"
            )
        )
    }

    static var severalServers: CommandFailure {
        CommandFailure(
            .usage,
            localized(
                "several servers are trusted",
                german: "mehrere Server sind vertrauenswürdig"
            ),
            hint: localized(
                "name the server of this activation id with --server",
                german: "nennen Sie den Server dieser Aktivierungs-ID mit --server"
            )
        )
    }
}

extension EnrolmentOutcome {
    fileprivate var reason: String {
        switch self {
        case .enrolled: localized("it is", german: "doch")
        case .tooManyDevices:
            localized(
                "it has the maximum number of devices",
                german: "er hat schon die höchste Zahl von Geräten"
            )
        case .accountReplaced:
            localized("another account replaced it", german: "ein anderer Zugang hat ihn ersetzt")
        }
    }
}
