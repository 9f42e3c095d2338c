import AuthenticationHandler
import CommandLineTool

/// Looks whether everything is as it should be, and says what to do where it is not.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Look at settings, vault, machine, server and clock, and say what to do."

    static let discussion = """
        In JSON each finding has a code that stays as it is, and its account where it is of one.
        """

    static let parameters: [any Parameter] = [Flag.json, Session.vault]

    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await Session(in: vault)
        var findings = await session.handler.getWarnings().map(\.finding)
        var inOrder: [Account] = []
        var accounts: [Account] = []
        do throws(AuthenticationError) {
            accounts = try await session.handler.getAllEnrolledAccounts()
            if accounts.isEmpty {
                let code = ErrorCode.noAccountActivated
                findings.append(Finding(code, CommandFailure(code)))
            }
        } catch {
            findings.append(Finding(error.code, CommandFailure(error)))
        }
        for account in accounts {
            let found: [Finding]
            do throws(AuthenticationError) {
                found = try await session.handler.getProfileInfo(for: account).findings
            } catch {
                found = [Finding(error.code, CommandFailure(error), account)]
            }
            if found.isEmpty { inOrder.append(account) }
            findings += found
        }
        if printsJSON {
            let answer = Answer(inOrder: inOrder.map { ShownAccount($0) }, findings: findings)
            try terminal.output.print(json: answer)
        } else {
            for account in inOrder { try terminal.output.print("\(account) is in order") }
            for finding in findings {
                try terminal.output.print("\(finding.event)\n  hint: \(finding.remedy)")
            }
        }
        guard findings.isEmpty else {
            throw CommandFailure(.refused, "there is something to do")
        }
    }

    private struct Answer: Encodable {
        let inOrder: [ShownAccount]
        let findings: [Finding]
    }
}

/// What is wrong, with the machine where it is of no account.
private struct Finding: Encodable {
    /// Stays as it is, for programs; the two texts are for people.
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
        switch self {
        case .debuggerAttached:
            Finding("debuggerAttached", "another program looks into this one", "end it")
        case .runsAsRoot:
            Finding("runsAsRoot", "this program runs as root", "run it as yourself")
        case .coreDumpsOn:
            Finding(
                "coreDumpsOn",
                "a crash may write secrets to the disk",
                "turn core dumps off: ulimit -c 0"
            )
        case .vaultOpenToOthers:
            Finding(
                "vaultOpenToOthers",
                "others may read or replace the vault",
                "let it be yours alone: chmod -R go="
            )
        case .swapNotEncrypted:
            Finding(
                "swapNotEncrypted",
                "memory may be written to a disk that is not encrypted",
                "encrypt the swap, or turn it off"
            )
        }
    }
}

extension Profile {
    fileprivate var findings: [Finding] {
        var findings: [Finding] = []
        func add(_ code: String, _ event: String, _ remedy: String) {
            findings.append(Finding(code, event, remedy, account))
        }
        switch pinLock {
        case .until(let end):
            let event = "\(account): the PIN is locked for \(remainingTime(until: end))"
            add("pinLocked", event, "wait, or ask the bank")
        case .never:
            add("pinLockedForGood", "\(account): the PIN is locked", "ask for a new activation")
        case nil: break
        }
        if !isPINEnabled {
            add("pinOff", "\(account): the PIN is switched off", "ask the bank")
        }
        if needsPINUpdate {
            let remedy = "run countersign change-pin again, with the same two PINs"
            add("oldPIN", "\(account) still has the old PIN", remedy)
        }
        return findings
    }
}
