import AuthenticationHandler
import CommandLineTool

/// Looks whether everything is as it should be, and says what to do where it is not.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Look at settings, vault, machine, server and clock, and say what to do."

    static let parameters: [any Parameter] = [Session.vault]

    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await Session(in: vault)
        var findings = await session.handler.getWarnings().map(\.finding)
        for account in try await session.accounts() {
            let found: [Finding]
            do throws(AuthenticationError) {
                found = try await session.handler.getProfileInfo(for: account).findings
            } catch {
                let failure = CommandFailure(error)
                found = [Finding("\(account): \(failure.message)", failure.hint ?? "")]
            }
            if found.isEmpty { try terminal.output.print("\(account) is in order") }
            findings += found
        }
        for finding in findings {
            try terminal.output.print("\(finding.event)\n  hint: \(finding.remedy)")
        }
        guard findings.isEmpty else {
            throw CommandFailure(.refused, "there is something to do")
        }
    }
}

private struct Finding {
    let event: String
    let remedy: String

    init(_ event: String, _ remedy: String) {
        self.event = event
        self.remedy = remedy
    }
}

extension DeviceWarning {
    fileprivate var finding: Finding {
        switch self {
        case .debuggerAttached: Finding("another program looks into this one", "end it")
        case .runsAsRoot: Finding("this program runs as root", "run it as yourself")
        case .coreDumpsOn:
            Finding("a crash may write secrets to the disk", "turn core dumps off: ulimit -c 0")
        case .vaultOpenToOthers:
            Finding("others may read or replace the vault", "let it be yours alone: chmod -R go=")
        case .swapNotEncrypted:
            Finding(
                "memory may be written to a disk that is not encrypted",
                "encrypt the swap, or turn it off"
            )
        }
    }
}

extension Profile {
    fileprivate var findings: [Finding] {
        var findings: [Finding] = []
        switch pinLock {
        case .until(let end):
            let event = "\(account): the PIN is locked for \(remainingTime(until: end))"
            findings.append(Finding(event, "wait, or ask the bank"))
        case .never:
            findings.append(Finding("\(account): the PIN is locked", "ask for a new activation"))
        case nil: break
        }
        if !isPINEnabled {
            findings.append(Finding("\(account): the PIN is switched off", "ask the bank"))
        }
        if hasOldPIN {
            let remedy = "run countersign change-pin again, with the same two PINs"
            findings.append(Finding("\(account) still has the old PIN", remedy))
        }
        return findings
    }
}
