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
            Checks settings, vault, machine, server and clock. If the settings file is wrong, it
            connects to no server. In JSON, each finding has a stable code, and its account if it
            concerns one account.
            """,
            german: """
                Prüft Einstellungen, Datenordner, Rechner, Server und Uhr. Ist die Datei der
                Einstellungen falsch, verbindet sich der Befehl mit keinem Server. In JSON hat jeder
                Befund eine feste Kennung. Betrifft er nur einen Zugang, nennt er auch diesen.
                """
        )
    }

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let settings: Settings
        do throws(CommandFailure) {
            settings = try Settings(from: .configuration)
        } catch {
            return try await reportSettings(error, on: terminal)
        }
        let handler = try await vault.openSession(with: settings).handler
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
                found = [Finding(error.code, CommandFailure(ofReading: error), account)]
            }
            if found.isEmpty { healthy.append(account) }
            findings += found
        }
        try report(findings, healthy: healthy, on: terminal)
    }

    /// Also checks everything that needs no server: the pins of the servers are unknown.
    private func reportSettings(
        _ failure: CommandFailure,
        on terminal: Terminal
    ) async throws(CommandFailure) {
        let handler = try await vault.openSession(with: Settings()).handler
        var findings = [Finding("settingsUnusable", failure.message, failure.hint ?? "")]
        findings += await handler.warnings().map(\.finding)
        // If the vault cannot be read, `accounts(of:adding:)` reports it: `try?`.
        let unusable = (try? await handler.recordedUnusableAccounts()) ?? []
        let accounts = await accounts(of: handler, except: unusable, adding: &findings)
        findings += unusable.map { $0.finding(amongActive: accounts) }
        try report(findings, healthy: [], on: terminal)
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
struct Finding: Encodable {
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
