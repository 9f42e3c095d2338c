import AuthenticationHandler
import CommandLineTool

struct ChangePINCommand: Command {
    static let name = "change-pin"
    static var summary: String {
        localized(
            "Change the PIN of all accounts.",
            german: "Ändert die PIN aller Zugänge."
        )
    }
    static var discussion: String {
        localized(
            """
            If the change fails for an account, run the command again with the same two PINs. With
            --pin-fd, the old PIN is the first line and the new PIN is the second line.
            """,
            german: """
                Misslingt die Änderung bei einem Zugang, rufen Sie den Befehl erneut mit denselben
                beiden PINs auf. Mit --pin-fd ist die alte PIN die erste Zeile und die neue PIN die
                zweite Zeile.
                """
        )
    }

    private let secrets = SecretOption()
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        _ = try await session.accounts()
        let secrets = secrets.source(in: session, or: terminal)
        let changes = try await changes(in: session, secrets)
        var failure: CommandFailure?
        for change in changes {
            let account = change.account
            switch change.outcome {
            case .changed, .notTried: break
            case .failed(let error) where error.code == .authenticationFailed:
                failure = .otherOldPIN(account, error)
            case .failed(let error):
                failure = .oldPINRemains(account, because: CommandFailure(error))
            case .unknown(let error):
                failure = .pinUnknown(account, because: CommandFailure(error))
            }
        }
        let printing = Result { () throws(CommandFailure) in
            for change in changes { try print(change, on: terminal.output) }
        }
        // More important than a failed write.
        if let failure { throw failure }
        try printing.get()
    }

    private func print(_ change: PINChange, on output: Output) throws(CommandFailure) {
        switch change.outcome {
        case .changed: try output.print(PINSentences.changed(change.account))
        case .notTried: try output.print(PINSentences.oldPINRemains(change.account))
        case .failed, .unknown: break
        }
    }

    /// After a wrong old PIN, the person types only this PIN again.
    private func changes(
        in session: Session,
        _ secrets: SecretSource
    ) async throws(CommandFailure) -> [PINChange] {
        let policies = try await reportingErrors(try await session.handler.newPINPolicies())
        let authentication = Authentication(secrets: secrets)
        var typed: TypedSecret?
        return try await authentication.run(among: [.userPIN]) { _ async throws(CommandFailure) in
            let old = try secrets.typedPIN(PINSentences.oldPIN)
            let new =
                if let typed, typed != old {
                    typed
                } else {
                    try secrets.newPIN(allowedBy: policies, replacing: old)
                }
            typed = new
            let oldPIN = try PIN(old)
            let newPIN = try PIN(new)
            secrets.terminal.reportIfInterrupted(.unknownPINChange)
            defer { secrets.terminal.reportIfInterrupted(nil) }
            do throws(AuthenticationError) {
                return .success(try await session.handler.changePIN(from: oldPIN, to: newPIN))
            } catch  where error.hasUnknownResult {
                throw CommandFailure(error).suggesting(PINSentences.samePINsHint)
            } catch  where error.code == .pinChangeUnfinished {
                throw .otherNewPIN(error)
            } catch {
                return .failure(error)
            }
        }
    }
}
