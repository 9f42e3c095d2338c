public import Localization

extension ErrorCode {
    /// One sentence for the support desk: the error, then the remedy.
    public var supportSentence: String { supportSentence(in: .english) }

    /// The sentence for a person who reads another language.
    public func supportSentence(in language: Language) -> String {
        sentence.text(in: language)
    }

    private var sentence: LocalizedText {
        switch self {
        case .noAccountActivated:
            LocalizedText(
                "No such account is set up on this device; set one up with an activation code.",
                german: """
                    Auf diesem Gerät ist kein solcher Zugang eingerichtet; richten Sie ihn \
                    mit einem Aktivierungscode ein.
                    """
            )
        case .accountAlreadyActivated:
            LocalizedText(
                "This account is already set up on this device; use it, or remove it first.",
                german: """
                    Dieser Zugang ist auf diesem Gerät schon eingerichtet; nutzen Sie \
                    ihn, oder entfernen Sie ihn zuerst.
                    """
            )
        case .activationCodeInvalid:
            LocalizedText(
                "The activation code is not right; check every character, or ask for a new code.",
                german: """
                    Der Aktivierungscode ist nicht richtig; prüfen Sie jedes Zeichen, \
                    oder fordern Sie einen neuen Code an.
                    """
            )
        case .activationCodeExpired:
            LocalizedText(
                "The activation code is too old; ask for a new one.",
                german: "Der Aktivierungscode ist abgelaufen; fordern Sie einen neuen an."
            )
        case .activationForBrowser:
            LocalizedText(
                """
                This activation is for a web browser, not for an app; open its link in a browser, or \
                ask for an activation of this app.
                """,
                german: """
                    Diese Aktivierung ist für einen Webbrowser, nicht für eine App; öffnen Sie den \
                    Link im Browser, oder fordern Sie eine Aktivierung für diese App an.
                    """
            )
        case .deviceRevoked:
            LocalizedText(
                """
                The bank no longer accepts this device; set it up again with a new \
                activation code.
                """,
                german: """
                    Die Bank akzeptiert dieses Gerät nicht mehr; richten Sie es mit \
                    einem neuen Aktivierungscode ein.
                    """
            )
        case .deviceWaiting:
            LocalizedText(
                """
                This device is new and cannot approve this yet; use another device, or wait until \
                the time is over.
                """,
                german: """
                    Dieses Gerät ist neu und darf das noch nicht freigeben; nutzen Sie ein anderes \
                    Gerät, oder warten Sie die Frist ab.
                    """
            )
        case .amountAboveCeiling:
            LocalizedText(
                """
                This is above the limit for approvals in a browser; approve it with an app, or \
                reject it here.
                """,
                german: """
                    Das liegt über der Grenze für Freigaben im Browser; geben Sie es mit einer App \
                    frei, oder lehnen Sie es hier ab.
                    """
            )
        case .noPendingTransaction:
            LocalizedText(
                "Nothing is waiting for approval; start again where the request was made.",
                german: """
                    Es wartet nichts auf Ihre Freigabe; beginnen Sie dort neu, wo der \
                    Auftrag entstand.
                    """
            )
        case .unknownTransaction:
            LocalizedText(
                "The bank has no such request for this device; start again where it was made.",
                german: """
                    Die Bank hat keinen solchen Auftrag für dieses Gerät; beginnen Sie \
                    dort neu, wo er entstand.
                    """
            )
        case .transactionExpired:
            LocalizedText(
                "The time to decide is over and nothing was approved; start the request again.",
                german: """
                    Die Zeit ist abgelaufen, und nichts wurde freigegeben; starten Sie den Auftrag neu.
                    """
            )
        case .transactionAlreadyDecided:
            LocalizedText(
                "This request was decided before and cannot be changed; check where it was made.",
                german: """
                    Über diesen Auftrag ist schon entschieden, und das ist endgültig; \
                    sehen Sie dort nach, wo er entstand.
                    """
            )
        case .transactionNotDisplayable:
            LocalizedText(
                """
                The request cannot be shown safely, so it cannot be approved; report it to \
                the bank.
                """,
                german: """
                    Der Auftrag lässt sich nicht sicher anzeigen und daher nicht \
                    freigeben; melden Sie ihn der Bank.
                    """
            )
        case .signingDataMissing:
            LocalizedText(
                "There is nothing to sign; enter the details that the code is to confirm.",
                german: """
                    Es fehlen die Daten für die Bestätigung; geben Sie die Angaben ein, \
                    die der Code bestätigen soll.
                    """
            )
        case .pushMalformed:
            LocalizedText(
                "The notification cannot be read, so nothing is shown; look at the pending requests.",
                german: """
                    Die Benachrichtigung ist nicht lesbar und wird nicht angezeigt; sehen Sie \
                    bei den offenen Aufträgen nach.
                    """
            )
        case .pushMismatch:
            LocalizedText(
                """
                The notification does not match the bank's request, so nothing is shown; do not \
                approve, and report an unexpected notification to the bank.
                """,
                german: """
                    Die Benachrichtigung passt nicht zum Auftrag der Bank und wird nicht angezeigt; \
                    geben Sie nichts frei, und melden Sie der Bank, was Sie nicht erwarten.
                    """
            )
        case .returnURLRefused:
            LocalizedText(
                "The address to return to is not one that the bank allows; go back by hand.",
                german: """
                    Die Bank erlaubt diese Adresse für die Rückkehr nicht; gehen Sie selbst zurück.
                    """
            )
        case .authenticationFailed:
            LocalizedText(
                "The approval was not accepted; check the details and the PIN, and try again.",
                german: """
                    Die Freigabe wurde nicht angenommen; prüfen Sie die Angaben und die \
                    PIN, und versuchen Sie es erneut.
                    """
            )
        case .credentialLocked:
            LocalizedText(
                """
                Approving is locked after too many failures; wait until the lock ends, or \
                ask the bank.
                """,
                german: """
                    Die Freigabe ist nach zu vielen Fehlversuchen gesperrt; warten Sie \
                    das Ende der Sperre ab, oder fragen Sie die Bank.
                    """
            )
        case .authenticationTypeNotAllowed:
            LocalizedText(
                """
                The bank does not allow this way of approving here; choose another one, or ask the bank.
                """,
                german: """
                    Die Bank erlaubt diese Art der Bestätigung hier nicht; wählen Sie eine andere, \
                    oder fragen Sie die Bank.
                    """
            )
        case .counterOutOfStep:
            LocalizedText(
                "Device and bank were out of step; try again.",
                german: "Gerät und Bank waren nicht auf demselben Stand; versuchen Sie es erneut."
            )
        case .pinPolicy:
            LocalizedText(
                """
                The PIN is not allowed because it is too easy to guess, or too short or too \
                long; choose another one.
                """,
                german: """
                    Die PIN ist nicht erlaubt, denn sie ist zu leicht zu erraten, zu \
                    kurz oder zu lang; wählen Sie eine andere.
                    """
            )
        case .pinChangedBefore:
            LocalizedText(
                "The last try changed the PIN; the PIN that was new then is valid.",
                german: """
                    Der letzte Versuch hat die PIN geändert; es gilt die PIN, die dabei neu war.
                    """
            )
        case .pinChangeUnfinished:
            LocalizedText(
                """
                The last PIN change is not finished for all accounts; change the PIN again with the \
                same two PINs first.
                """,
                german: """
                    Die letzte Änderung der PIN ist nicht für alle Zugänge fertig; ändern Sie zuerst \
                    die PIN noch einmal mit denselben beiden PINs.
                    """
            )
        case .pinCannotBeDisabled:
            LocalizedText(
                "The PIN cannot be turned off; other ways of approving can be used as well.",
                german: """
                    Die PIN lässt sich nicht abschalten; andere Arten der Freigabe sind \
                    zusätzlich möglich.
                    """
            )
        case .biometricUnavailable:
            LocalizedText(
                """
                This device has no fingerprint or face recognition that can be used; use the \
                PIN.
                """,
                german: """
                    Dieses Gerät hat keine nutzbare Erkennung von Fingerabdruck oder \
                    Gesicht; nutzen Sie die PIN.
                    """
            )
        case .biometricNotEnabled:
            LocalizedText(
                "Fingerprint or face recognition is not turned on for this account; use the PIN.",
                german: """
                    Die Erkennung von Fingerabdruck oder Gesicht ist für diesen Zugang \
                    nicht eingeschaltet; nutzen Sie die PIN.
                    """
            )
        case .biometricLockedOut:
            LocalizedText(
                "Fingerprint or face recognition failed too often and is locked; use the PIN.",
                german: """
                    Die Erkennung von Fingerabdruck oder Gesicht ist zu oft \
                    fehlgeschlagen und gesperrt; nutzen Sie die PIN.
                    """
            )
        case .biometricFailed:
            LocalizedText(
                "Fingerprint or face was not recognized; try again, or use the PIN.",
                german: """
                    Fingerabdruck oder Gesicht wurde nicht erkannt; versuchen Sie es \
                    erneut, oder nutzen Sie die PIN.
                    """
            )
        case .biometricCancelled:
            LocalizedText(
                "Recognizing fingerprint or face was cancelled; try again, or use the PIN.",
                german: """
                    Die Erkennung von Fingerabdruck oder Gesicht wurde abgebrochen; \
                    versuchen Sie es erneut, oder nutzen Sie die PIN.
                    """
            )
        case .networkUnavailable:
            LocalizedText(
                "This device cannot connect to the bank; check the network and try again.",
                german: """
                    Dieses Gerät erreicht die Bank nicht; prüfen Sie das Netz, und \
                    versuchen Sie es erneut.
                    """
            )
        case .responseMissing:
            LocalizedText(
                """
                The bank's response did not arrive, so its result is unknown; check what is pending \
                before you try again.
                """,
                german: """
                    Die Antwort der Bank ist nicht angekommen, daher ist das Ergebnis unbekannt; \
                    prüfen Sie, was offen ist, bevor Sie es erneut versuchen.
                    """
            )
        case .serverUnavailable:
            LocalizedText(
                """
                The bank's service is not available at the moment, so the result is unknown; check \
                what is pending before you try again.
                """,
                german: """
                    Der Dienst der Bank ist im Moment nicht verfügbar, daher ist das Ergebnis \
                    unbekannt; prüfen Sie, was offen ist, bevor Sie es erneut versuchen.
                    """
            )
        case .serverUntrusted:
            LocalizedText(
                """
                The response is not verified as the bank's, so its result is unknown; try another \
                network, and call the bank if that fails.
                """,
                german: """
                    Die Antwort stammt nicht nachweislich von der Bank, daher ist das Ergebnis \
                    unbekannt; versuchen Sie ein anderes Netz, und rufen Sie sonst die Bank an.
                    """
            )
        case .clockSkew:
            LocalizedText(
                "The clock of the device is wrong; set date and time automatically and try again.",
                german: """
                    Die Uhr des Geräts geht falsch; stellen Sie Datum und Zeit \
                    automatisch ein, und versuchen Sie es erneut.
                    """
            )
        case .rateLimited:
            LocalizedText(
                "There were too many requests in a short time; wait a few minutes and try again.",
                german: """
                    In kurzer Zeit gab es zu viele Anfragen; warten Sie einige Minuten, \
                    und versuchen Sie es erneut.
                    """
            )
        case .upgradeRequired:
            LocalizedText(
                """
                This app is too old for the bank's service; install the latest version of \
                the app.
                """,
                german: """
                    Diese App ist zu alt für den Dienst der Bank; installieren Sie die \
                    neueste Version der App.
                    """
            )
        case .vaultDamaged:
            LocalizedText(
                """
                The data stored on this device are damaged; set the account up again with a \
                new activation code.
                """,
                german: """
                    Die Daten auf diesem Gerät sind beschädigt; richten Sie den Zugang \
                    mit einem neuen Aktivierungscode ein.
                    """
            )
        case .vaultLocked:
            LocalizedText(
                "Another program is using the data stored on this device; close it and try again.",
                german: """
                    Ein anderes Programm nutzt die Daten auf diesem Gerät; schließen Sie \
                    es, und versuchen Sie es erneut.
                    """
            )
        case .vaultUnavailable:
            LocalizedText(
                """
                The data on this device cannot be read or written safely; make room, update the \
                app, check its access rights, and try again.
                """,
                german: """
                    Die Daten auf diesem Gerät sind nicht sicher lesbar oder schreibbar; schaffen Sie \
                    Platz, prüfen Sie die Zugriffsrechte, aktualisieren Sie die App, und versuchen Sie \
                    es erneut.
                    """
            )
        case .deviceSecretMissing:
            LocalizedText(
                """
                The key of this device is gone, as after a move to another device; set the \
                account up again with a new activation code.
                """,
                german: """
                    Der Schlüssel dieses Geräts fehlt, etwa nach einem Umzug auf ein anderes; \
                    richten Sie den Zugang mit einem neuen Aktivierungscode ein.
                    """
            )
        case .invalidArgument:
            LocalizedText(
                """
                The app asked for something that cannot be done; update it, or contact its \
                developer.
                """,
                german: """
                    Die App wollte etwas, das nicht möglich ist; aktualisieren Sie sie, \
                    oder wenden Sie sich an ihren Hersteller.
                    """
            )
        }
    }
}
