import AuthenticationHandler
import CommandLineTool
import PrivateFiles

extension DeviceWarning {
    var finding: Finding {
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
                        "run chmod -R go= on the vault; \(FileFailure.privateFolder)",
                        german: "führen Sie darauf chmod -R go= aus; \(FileFailure.privateFolder)"
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
    func finding(amongActive accounts: [Account]) -> Finding {
        let name = account?.description ?? fileName
        // Under its name, an active account would be removed instead.
        let isNameTaken = accounts.contains { $0 == account }
        let removable = isNameTaken ? fileName : name
        let remedy = isNameTaken ? Self.removal(of: fileName) : Self.newActivation
        let (code, event, advice) =
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
                    ), remedy
                )
            case .secretsMissing:
                (
                    "secretsMissing",
                    localized(
                        "the secrets of this account are missing",
                        german: "die Geheimnisse dieses Zugangs fehlen"
                    ), remedy
                )
            case .activationUnfinished:
                (
                    "activationUnfinished", Self.unconfirmed,
                    localized(
                        "check the network; if the bank's server is gone: countersign remove \(removable)",
                        german: """
                            prüfen Sie das Netz; gibt es den Server der Bank nicht mehr: \
                            countersign remove \(removable)
                            """
                    )
                )
            }
        return Finding(code, "\(name): \(event)", advice, account)
    }

    private static var unconfirmed: String {
        localized(
            "the bank has not confirmed the activation of this account",
            german: "die Bank hat die Aktivierung dieses Zugangs nicht bestätigt"
        )
    }

    private static func removal(of file: String) -> String {
        localized(
            "another account with this name works; remove this one: countersign remove \(file)",
            german: """
                ein anderer Zugang mit diesem Namen funktioniert; entfernen Sie diesen: \
                countersign remove \(file)
                """
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
    var findings: [Finding] {
        var findings: [Finding] = []
        func add(_ code: String, _ event: String, _ remedy: String) {
            findings.append(Finding(code, "\(account): \(event)", remedy, account))
        }
        switch pinLock {
        case .until(let end):
            let time = text(ofTimeLeft: end.remainingTime(clockOffset: clockOffset))
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
        if needsPINChange {
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
