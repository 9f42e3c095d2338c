import AuthenticationHandler
import CommandLineTool

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Check this machine, and suggest repairs."
    static let discussion = """
        Checks settings, vault, machine, server and clock. In JSON, each finding has a stable code, and its account if it concerns one account.
        """

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let handler = try await vault.openSession().handler
        var findings = await handler.warnings().map(\.finding)
        var healthy: [Account] = []
        let accounts = await accounts(of: handler, adding: &findings)
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

    private func accounts(
        of handler: AuthenticationHandler,
        adding findings: inout [Finding]
    ) async -> [Account] {
        var accounts: [Account] = []
        do throws(AuthenticationError) {
            accounts = try await handler.accounts()
            if accounts.isEmpty {
                let code = ErrorCode.noAccountActivated
                findings.append(Finding(code, CommandFailure(code)))
            }
        } catch {
            findings.append(Finding(error.code, CommandFailure(error)))
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
            for account in healthy { try terminal.output.print("\(account) is in order") }
            for finding in findings {
                try terminal.output.print("\(finding.event)\n  hint: \(finding.remedy)")
            }
        }
        guard findings.isEmpty else {
            throw CommandFailure(.refused, "\(counted(findings.count, "problem")) found")
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
                ("a debugger is attached to this program", "end the debugger")
            case .runsAsRoot:
                ("this program runs as root", "run it as a normal user")
            case .coreDumpsOn:
                ("a crash may write secrets to the disk", "turn core dumps off: ulimit -c 0")
            case .vaultOpenToOthers:
                ("other users can read or replace the vault", "run chmod -R go= on the vault")
            case .swapNotEncrypted:
                ("the swap is not encrypted", "encrypt the swap, or turn it off")
            }
        return Finding(rawValue, event, remedy)
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
            add("pinLocked", "the PIN is locked for \(time)", "wait, or ask the bank")
        case .never:
            add("pinLockedPermanently", "the PIN is locked", "ask the bank for a new activation")
        case nil: break
        }
        if !isPINEnabled {
            add("pinDisabled", "the bank has disabled the PIN", "ask the bank")
        }
        if needsPINUpdate {
            let remedy = "run countersign change-pin again with the same two PINs"
            add("oldPIN", "this account still has the old PIN", remedy)
        }
        return findings
    }
}
