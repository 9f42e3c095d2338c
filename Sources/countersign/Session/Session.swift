import AuthenticationHandler
import CommandLineTool
import Glibc

/// The library over a person's vault, with the servers that the person trusts.
struct Session: Sendable {
    let settings: Settings
    let handler: AuthenticationHandler

    init(vault: String, _ settings: Settings) async throws(CommandFailure) {
        let secrets = try PersonalFolder.state.path() + "/secrets"
        self.settings = settings
        handler = try await reportingErrors(
            try AuthenticationHandler(
                vault: vault,
                secrets: SecretFolder(secrets),
                deviceName: machineName() ?? "Linux",
                network: settings.network,
                biometrics: settings.biometrics.map {
                    // The program may need a display, so it gets this environment.
                    BiometricProgram(path: $0, environment: nil)
                }
            )
        )
        try await reportingErrors(try await handler.configurePinning(settings.pinned))
    }

    /// Shows a request to the person, who decides.
    func approval(of transaction: PendingTransaction, by secrets: SecretSource) -> Approval {
        Approval(transaction: transaction, handler: handler, secrets: secrets)
    }

    /// The accounts of this machine; throws if there is none.
    func accounts() async throws(CommandFailure) -> [Account] {
        let accounts = try await accountsIfAny()
        guard !accounts.isEmpty else { throw CommandFailure(.noAccountActivated) }
        return accounts
    }

    /// The accounts of this machine; an unfinished activation is finished first if there is no other.
    func accountsIfAny() async throws(CommandFailure) -> [Account] {
        let accounts = try await reportingErrors(try await handler.accounts())
        guard accounts.isEmpty else { return accounts }
        let unfinished = try await reportingErrors(try await handler.unusableAccounts())
        let finished = try await reportingErrors(try await handler.accounts())
        if finished.isEmpty, let finding = unfinished.first?.finding(amongActive: []) {
            throw CommandFailure(.serverUnavailable, finding.event, hint: finding.remedy)
        }
        return finished
    }

    /// The notifications that the bank sends while this machine is connected.
    func pushes(
        reporting report: @escaping @Sendable (ConnectionChange) -> Void = { _ in }
    ) async throws(CommandFailure) -> AsyncStream<[UInt8]> {
        try await reportingErrors(try await handler.pushes(reporting: report))
    }

    /// Why `pushes` ended: the last account was removed, or each device was revoked, which was
    /// reported before.
    func endOfPushes() async throws(CommandFailure) -> CommandFailure {
        _ = try await accounts()
        return CommandFailure(.noPermission, WatchSentences.noAccountLeft)
    }

    /// The address at which the bank continues after the decision.
    func redirect(
        after transaction: PendingTransaction
    ) async throws(CommandFailure) -> ApprovalResult.Redirect {
        try await reportingErrors(try await handler.redirect(after: transaction))
    }

    /// All pending requests, the oldest first.
    func pending() async throws(CommandFailure) -> PendingTransactions {
        try await reportingErrorsOfReading(try await handler.pendingTransactions())
    }

    /// The request that a notification names.
    func pending(push payload: [UInt8]) async throws(CommandFailure) -> PendingTransaction {
        try await reportingErrorsOfReading(try await handler.pendingTransaction(push: payload))
    }

    /// The request with this id, or with an id that ends so; without an id, the only request.
    ///
    /// An approval without a prompt requires the whole id. If an id is missing, the requests are
    /// listed. A decision without a prompt takes the only request only if no other can exist.
    func pending(
        _ id: String?,
        requiringWholeID: Bool = false,
        requiringAll: Bool = false,
        on terminal: Terminal
    ) async throws(CommandFailure) -> PendingTransaction {
        guard let id else {
            return try await onlyPending(requiringAll: requiringAll, on: terminal)
        }
        guard id.count >= Self.minimumIDLength else { throw .shortID }
        let found = try await pending()
        let named = found.transactions.filter { $0.id.hasSuffix(id) }
        guard let first = named.first else {
            for failure in found.commandFailures { try terminal.messages.print(failure) }
            return try await request(id, except: found.failures)
        }
        guard named.count == 1 else {
            throw .ambiguousID
        }
        guard !requiringWholeID || first.id == id else { throw .wholeIDNeeded }
        return first
    }

    private func onlyPending(
        requiringAll: Bool,
        on terminal: Terminal
    ) async throws(CommandFailure) -> PendingTransaction {
        let found = try await pending()
        try found.requireRequest(reportingOn: terminal)
        let pending = found.transactions
        var failures = found.commandFailures
        let unknown = requiringAll ? failures.popLast() : nil
        for failure in failures { try terminal.messages.print(failure) }
        guard pending.count == 1, unknown == nil else {
            for line in pending.briefLines { try terminal.messages.print(line) }
            throw unknown?.needingID ?? .severalPending(pending.count)
        }
        return pending[0]
    }

    /// The request with this whole id, which is not listed: throws its result if it has ended.
    ///
    /// The accounts with a failure were reported before.
    private func request(
        _ id: String,
        except failed: [Account: AuthenticationError]
    ) async throws(CommandFailure) -> PendingTransaction {
        for account in try await accounts() where failed[account] == nil {
            do throws(AuthenticationError) {
                return try await handler.pendingTransaction(id: id, of: account)
            } catch  where [.unknownTransaction, .invalidArgument].contains(error.code) {
                // It can be a request of the next account, or the text is not a whole id.
            } catch {
                throw CommandFailure(ofReading: error)
            }
        }
        throw .noPendingRequestHasID
    }

    /// Ids begin with the time, so only their ends differ.
    static let minimumIDLength = 4
}

/// Nil if the machine has no name that can be displayed.
private func machineName() -> String? {
    var name = [CChar](repeating: 0, count: 65)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return DeviceName(String(decoding: bytes, as: UTF8.self))?.text
}

extension CommandFailure {
    fileprivate static func severalPending(_ count: Int) -> CommandFailure {
        CommandFailure(
            .usage,
            localized("\(count) requests are pending", german: "\(count) Aufträge sind offen"),
            hint: localized(
                "name one of them by its id",
                german: "nennen Sie einen davon mit seiner ID"
            )
        )
    }

    /// Not all requests are known.
    fileprivate var needingID: CommandFailure {
        suggesting(
            localized("name the request by its id", german: "nennen Sie den Auftrag mit seiner ID")
        )
    }

    fileprivate static var noPendingRequestHasID: CommandFailure {
        CommandFailure(
            .nothingPending,
            localized(
                "no pending request has this id",
                german: "kein offener Auftrag hat diese ID"
            ),
            hint: localized(
                "countersign pending shows the whole ids of all pending requests",
                german: "countersign pending zeigt die ganzen IDs aller offenen Aufträge"
            )
        )
    }

    fileprivate static var shortID: CommandFailure {
        CommandFailure(
            .usage,
            localized(
                "the end of an id needs at least \(Session.minimumIDLength) characters",
                german: "das Ende einer ID braucht mindestens \(Session.minimumIDLength) Zeichen"
            ),
            hint: localized(
                "give more characters of the id",
                german: "geben Sie mehr Zeichen der ID an"
            )
        )
    }

    fileprivate static var wholeIDNeeded: CommandFailure {
        CommandFailure(
            .usage,
            localized(
                "--yes needs the whole ID of the request",
                german: "--yes verlangt die ganze ID des Auftrags"
            ),
            hint: localized(
                "countersign pending shows the whole ids of all pending requests",
                german: "countersign pending zeigt die ganzen IDs aller offenen Aufträge"
            )
        )
    }

    fileprivate static var ambiguousID: CommandFailure {
        CommandFailure(
            .usage,
            localized(
                "the ids of several requests end with this text",
                german: "die IDs mehrerer Aufträge enden mit diesem Text"
            ),
            hint: localized(
                "give more characters of the id",
                german: "geben Sie mehr Zeichen der ID an"
            )
        )
    }
}
