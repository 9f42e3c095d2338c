import AuthenticationHandler
import CommandLineTool

@main
enum Countersign {
    static var program: Program {
        Program(
            name: "countersign",
            summary: localized(
                "Approve requests from your bank with codes that only you can make.",
                german: "Gibt Aufträge Ihrer Bank mit Codes frei, die nur Sie erzeugen können."
            ),
            version: Program.release,
            related: ["countersignd(8)"],
            topics: [prompts, exitCodes],
            overview: OverviewCommand.self,
            commands: [
                ActivateCommand.self, AccountsCommand.self, PendingCommand.self, ShowCommand.self,
                ApproveCommand.self, RejectCommand.self, WatchCommand.self, LoginCommand.self,
                OTPCommand.self, ChangePINCommand.self, RemoveCommand.self, DoctorCommand.self,
            ],
            furtherCommands: [
                FetchCommand.self, PushCommand.self, BiometricsCommand.self,
                NotificationsCommand.self, SelfTestCommand.self,
            ]
        )
    }

    private static var prompts: HelpTopic {
        HelpTopic(
            name: "prompts",
            summary: localized(
                "Show how PINs are read and a language is chosen.",
                german: "Erklärt Eingabe der PIN und Wahl der Sprache."
            ),
            text: localized(
                """
                Commands prompt for PINs and codes at the terminal, which does not show them.
                Programs can pass them by a file descriptor. Arguments and environment variables
                never contain a PIN or a code.

                At a terminal, a command prompts again for a PIN that cannot be right, and Ctrl-C
                ends it. After a wrong PIN, it prints the number of attempts that are left.

                Help, prompts, messages and results are in German if LC_ALL, LC_MESSAGES or LANG
                names a German locale, such as de_DE.UTF-8. The first of them that is set counts. In
                every other locale, they are in English. Completions follow the locale at each Tab.
                In JSON, only sentences for people depend on the language. Commands, options and
                exit codes do not.
                """,
                german: """
                    Befehle fragen am Terminal nach PINs und Codes, und das Terminal zeigt die
                    Eingabe nicht. Programme können sie über einen Dateideskriptor übergeben. In
                    Argumenten und Umgebungsvariablen stehen nie eine PIN oder ein Code.

                    Kann eine PIN nicht stimmen, fragt ein Befehl am Terminal noch einmal. Strg-C
                    beendet ihn. Nach einer falschen PIN zeigt er, wie viele Versuche bleiben.

                    Hilfe, Fragen, Meldungen und Ergebnisse sind deutsch, wenn LC_ALL, LC_MESSAGES
                    oder LANG eine deutsche Spracheinstellung nennt, etwa de_DE.UTF-8. Es gilt die
                    erste dieser Variablen, die gesetzt ist. Bei jeder anderen Einstellung sind sie
                    englisch. Ergänzungen folgen der Einstellung bei jedem Druck auf die
                    Tabulatortaste. In JSON hängen nur Sätze für Menschen von der Sprache ab.
                    Befehle, Optionen und Rückgabewerte sind immer gleich.
                    """
            )
        )
    }

    private static var exitCodes: HelpTopic {
        HelpTopic(
            name: "exit-codes",
            summary: localized(
                "Show the meaning of the exit codes.",
                german: "Erklärt die Rückgabewerte."
            ),
            text: localized(
                """
                Exit codes:
                    0    success
                    1    rejected, not decided, or decided before
                    2    no request is pending
                    64   wrong command line
                    65   malformed input, file, notification or vault
                    66   missing file, account, key or input
                    69   cannot connect to the bank, or its service is not available
                    70   internal error, or no memory for secrets
                    73   cannot create a file or folder
                    74   cannot read or write
                    75   temporary failure; try again later
                    76   no trusted response; the result can be unknown
                    77   PIN locked, device revoked or still waiting, amount too high for it,
                         or file of another user
                    130  interrupted at a prompt
                """,
                german: """
                    Rückgabewerte:
                        0    erledigt
                        1    abgelehnt, nicht entschieden oder schon entschieden
                        2    kein Auftrag ist offen
                        64   falsche Befehlszeile
                        65   fehlerhaft: Eingabe, Datei, Benachrichtigung oder Datenordner
                        66   es fehlt: Datei, Zugang, Schlüssel oder Eingabe
                        69   keine Verbindung zur Bank, oder ihr Dienst ist nicht verfügbar
                        70   interner Fehler, oder kein Speicher für Geheimnisse
                        73   Datei oder Ordner lässt sich nicht anlegen
                        74   Lesen oder Schreiben misslingt
                        75   vorübergehender Fehler; versuchen Sie es später erneut
                        76   keine vertrauenswürdige Antwort; Ergebnis womöglich unklar
                        77   PIN gesperrt, Gerät dauerhaft entfernt oder noch in der Wartezeit,
                             Betrag zu hoch dafür, oder Datei eines anderen Benutzers
                        130  bei einer Frage abgebrochen
                    """
            )
        )
    }

    static func main() {
        Language.useLocale()
        program.main()
    }
}
