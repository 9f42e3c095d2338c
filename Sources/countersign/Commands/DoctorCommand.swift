import AuthenticationHandler
import CommandLineTool

struct DoctorCommand: Command {
    static let name = "doctor"
    static var summary: String {
        localized(
            "Check this machine, and suggest repairs.",
            german: "Prüft diesen Rechner und schlägt Abhilfe vor."
        )
    }
    static var discussion: String {
        localized(
            """
            Checks settings, vault, machine, server and clock. In JSON, each finding has a stable
            code, and its account if it concerns one account.
            """,
            german: """
                Prüft Einstellungen, Datenordner, Rechner, Server und Uhr. In JSON hat jeder Befund
                eine feste Kennung. Betrifft er nur einen Zugang, nennt er auch diesen.
                """
        )
    }

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let handler = try await vault.openSession().handler
        var findings = await handler.warnings().map(\.finding)
        var healthy: [Account] = []
        // If the vault cannot be read, `accounts(of:adding:)` reports it: `try?`.
        let unusable = (try? await handler.unusableAccounts()) ?? []
        let accounts = await accounts(of: handler, except: unusable, adding: &findings)
        findings += unusable.map { $0.finding(amongActive: accounts) }
        for account in accounts {
            let found: [Finding]
            do throws(AuthenticationError) {
                found = try await handler.profile(for: account).findings
            } catch {
                found = [Finding(error.code, CommandFailure(error), account)]
            }
            if found.isEmpty { healthy.append(account) }
            findings += found
        }
        try report(findings, healthy: healthy, on: terminal)
    }

    /// A failure that concerns only unusable accounts is reported once.
    private func accounts(
        of handler: AuthenticationHandler,
        except unusable: [UnusableAccount],
        adding findings: inout [Finding]
    ) async -> [Account] {
        var accounts: [Account] = []
        do throws(AuthenticationError) {
            accounts = try await handler.accounts()
            if accounts.isEmpty, unusable.isEmpty {
                let code = ErrorCode.noAccountActivated
                findings.append(Finding(code, CommandFailure(code)))
            }
        } catch {
            if unusable.isEmpty { findings.append(Finding(error.code, CommandFailure(error))) }
        }
        return accounts
    }

    private func report(
        _ findings: [Finding],
        healthy: [Account],
        on terminal: Terminal
    ) throws(CommandFailure) {
        if printsJSON {
            let report = Report(healthy: healthy.map { ShownAccount($0) }, findings: findings)
            try terminal.output.print(json: report)
        } else {
            for account in healthy {
                try terminal.output.print(
                    localized("\(account) is in order", german: "\(account) ist in Ordnung")
                )
            }
            for finding in findings {
                try terminal.output.print(
                    "\(finding.event)\n  \(CommandFailure.hintLabel): \(finding.remedy)"
                )
            }
        }
        guard findings.isEmpty else {
            let count = findings.count
            let message = localized(
                "\(counted(count, "problem")) found",
                german: count == 1 ? "1 Problem gefunden" : "\(count) Probleme gefunden"
            )
            throw CommandFailure(.refused, message)
        }
    }

    private struct Report: Encodable {
        let healthy: [ShownAccount]
        let findings: [Finding]
    }
}

/// A problem, of one account or of the machine.
private struct Finding: Encodable {
    /// Stable, for programs; the two texts are for people.
    let code: String
    let account: ShownAccount?
    let event: String
    let remedy: String

    init(_ code: String, _ event: String, _ remedy: String, _ account: Account? = nil) {
        self.code = code
        self.account = account.map { ShownAccount($0) }
        self.event = event
        self.remedy = remedy
    }

    init(_ code: ErrorCode, _ failure: CommandFailure, _ account: Account? = nil) {
        let event = account.map { "\($0): \(failure.message)" } ?? failure.message
        self.init(code.rawValue, event, failure.hint ?? "", account)
    }
}

extension DeviceWarning {
    fileprivate var finding: Finding {
        let (event, remedy) =
            switch self {
            case .debuggerAttached:
                (
                    localized(
                        "a debugger is attached to this program",
                        german: "ein Debugger beobachtet dieses Programm"
                    ), localized("end the debugger", german: "beenden Sie den Debugger")
                )
            case .runsAsRoot:
                (
                    localized(
                        "this program runs as root",
                        german: "dieses Programm läuft als root"
                    ),
                    localized(
                        "run it as a normal user",
                        german: "starten Sie es als normaler Benutzer"
                    )
                )
            case .coreDumpsOn:
                (
                    localized(
                        "a crash may write secrets to the disk",
                        german: "ein Absturz kann Geheimnisse auf die Platte schreiben"
                    ),
                    localized(
                        "turn core dumps off: ulimit -c 0",
                        german: "schalten Sie Speicherabzüge ab: ulimit -c 0"
                    )
                )
            case .vaultOpenToOthers:
                (
                    localized(
                        "other users can read or replace the vault",
                        german: "andere Benutzer können den Datenordner lesen oder ersetzen"
                    ),
                    localized(
                        "run chmod -R go= on the vault",
                        german: "führen Sie darauf chmod -R go= aus"
                    )
                )
            case .swapNotEncrypted:
                (
                    localized(
                        "the swap is not encrypted",
                        german: "der Auslagerungsspeicher ist nicht verschlüsselt"
                    ),
                    localized(
                        "encrypt the swap, or turn it off",
                        german: "verschlüsseln Sie ihn, oder schalten Sie ihn ab"
                    )
                )
            }
        return Finding(rawValue, event, remedy)
    }
}

extension UnusableAccount {
    /// An active account with the same name would be removed instead.
    fileprivate func finding(amongActive accounts: [Account]) -> Finding {
        let name = account?.description ?? fileName
        let (code, event, remedy) =
            switch reason {
            case .damaged where account == nil:
                (
                    "accountDamaged",
                    localized(
                        "the file of an account is damaged",
                        german: "die Datei eines Zugangs ist beschädigt"
                    ),
                    localized(
                        "set the account up again, and remove the file: countersign remove \(name)",
                        german: """
                            richten Sie den Zugang neu ein, und entfernen Sie die Datei: countersign \
                            remove \(name)
                            """
                    )
                )
            case .damaged:
                (
                    "accountDamaged",
                    localized(
                        "the file of this account is damaged",
                        german: "die Datei dieses Zugangs ist beschädigt"
                    ), Self.newActivation
                )
            case .secretsMissing:
                (
                    "secretsMissing",
                    localized(
                        "the secrets of this account are missing",
                        german: "die Geheimnisse dieses Zugangs fehlen"
                    ), Self.newActivation
                )
            case .activationUnfinished where accounts.contains { $0 == account }:
                (
                    "activationUnfinished", Self.unconfirmed,
                    localized("check the network", german: "prüfen Sie das Netz")
                )
            case .activationUnfinished:
                (
                    "activationUnfinished", Self.unconfirmed,
                    localized(
                        "check the network; if the bank's server is gone: countersign remove \(name)",
                        german: """
                            prüfen Sie das Netz; gibt es den Server der Bank nicht mehr: \
                            countersign remove \(name)
                            """
                    )
                )
            }
        return Finding(code, "\(name): \(event)", remedy, account)
    }

    private static var unconfirmed: String {
        localized(
            "the bank has not confirmed the activation of this account",
            german: "die Bank hat die Aktivierung dieses Zugangs nicht bestätigt"
        )
    }

    private static var newActivation: String {
        localized(
            "set it up again with a new activation code, or remove it",
            german: "richten Sie ihn mit einem neuen Code ein, oder entfernen Sie ihn"
        )
    }
}

extension Profile {
    fileprivate var findings: [Finding] {
        var findings: [Finding] = []
        func add(_ code: String, _ event: String, _ remedy: String) {
            findings.append(Finding(code, "\(account): \(event)", remedy, account))
        }
        switch pinLock {
        case .until(let end):
            let time = remainingTime(until: end)
            add(
                "pinLocked",
                localized(
                    "the PIN is locked for \(time)",
                    german: "die PIN ist für \(time) gesperrt"
                ),
                localized("wait, or ask the bank", german: "warten Sie, oder fragen Sie die Bank")
            )
        case .never:
            add(
                "pinLockedPermanently",
                localized("the PIN is locked", german: "die PIN ist gesperrt"),
                localized(
                    "ask the bank for a new activation",
                    german: "fordern Sie eine neue Aktivierung an"
                )
            )
        case nil: break
        }
        if !isPINEnabled {
            add(
                "pinDisabled",
                localized(
                    "the bank has disabled the PIN",
                    german: "die Bank hat die PIN abgeschaltet"
                ),
                localized("ask the bank", german: "fragen Sie die Bank")
            )
        }
        if clockOffset != .zero {
            add(
                "clockWrong",
                localized(
                    "the clock of this machine differs from the bank's",
                    german: "die Uhr dieses Rechners weicht von der der Bank ab"
                ),
                localized(
                    "set date and time automatically",
                    german: "stellen Sie Datum und Zeit automatisch ein"
                )
            )
        }
        if needsPINUpdate {
            let remedy = localized(
                "run countersign change-pin again with the same two PINs",
                german: "rufen Sie countersign change-pin erneut mit denselben PINs auf"
            )
            add(
                "oldPIN",
                localized(
                    "this account still has the old PIN",
                    german: "dieser Zugang hat noch die alte PIN"
                ),
                remedy
            )
        }
        return findings
    }
}
