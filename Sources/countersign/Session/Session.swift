import AuthenticationHandler
import CommandLineTool
import Glibc

/// The library over a person's vault, with the servers that he trusts.
struct Session: Sendable {
    static let vault = Option<FilePath?>(
        "vault",
        value: "FOLDER",
        help: "Where the accounts are, if not in ~/.local/share/countersign/vault."
    )

    let settings: Settings
    let handler: AuthenticationHandler

    init(in vault: FilePath?) async throws(CommandFailure) {
        settings = try Settings()
        let vault = if let vault { vault.text } else { try PersonalFolder.data.path() + "/vault" }
        let secrets = try PersonalFolder.state.path() + "/secrets"
        do throws(AuthenticationError) {
            handler = try AuthenticationHandler(
                vault: vault,
                secrets: SecretFolder(secrets),
                deviceName: machineName() ?? "Linux",
                network: settings.network,
                biometrics: settings.biometrics.map {
                    // As a program that asks for a PIN, it may need to know of a display.
                    BiometricProgram(
                        path: $0,
                        environment: Environment.variables(beginningWith: "")
                    )
                }
            )
            try await handler.configurePinning(settings.pinned)
        } catch {
            throw CommandFailure(error)
        }
    }

    func secrets(on descriptor: OpenDescriptor?, or terminal: Terminal) -> SecretSource {
        SecretSource(descriptor: descriptor, terminal: terminal, askpass: settings.askpass)
    }

    /// At least one.
    func accounts() async throws(CommandFailure) -> [Account] {
        let accounts: [Account]
        do throws(AuthenticationError) {
            accounts = try await handler.getAllEnrolledAccounts()
        } catch {
            throw CommandFailure(error)
        }
        guard !accounts.isEmpty else { throw CommandFailure(.noAccountActivated) }
        return accounts
    }

    /// What the bank sends while this machine is connected to it.
    func pushes() async throws(CommandFailure) -> AsyncStream<[UInt8]> {
        do throws(AuthenticationError) {
            return try await handler.pushes()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Why `pushes` ended: nobody takes this machine any more, unless its last account was removed
    /// meanwhile.
    func endOfPushes() async throws(CommandFailure) -> CommandFailure {
        _ = try await accounts()
        return CommandFailure(.deviceRevoked)
    }

    /// All that waits, the oldest first; throws where there is nothing.
    func pending() async throws(CommandFailure) -> [PendingTransaction] {
        let pending: [PendingTransaction]
        do throws(AuthenticationError) {
            pending = try await handler.pendingTransactions()
        } catch {
            throw CommandFailure(error)
        }
        guard !pending.isEmpty else { throw CommandFailure(.noPendingTransaction) }
        return pending
    }

    /// The one that a notification names.
    func pending(push payload: [UInt8]) async throws(CommandFailure) -> PendingTransaction {
        do throws(AuthenticationError) {
            return try await handler.getTransaction(push: payload)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The one that is named, by its id or the end of it, or else the only one.
    ///
    /// Whoever will not see it before he says yes names it `wholly`.
    func pending(
        _ id: String?,
        wholly: Bool = false
    ) async throws(CommandFailure) -> PendingTransaction {
        let pending = try await pending()
        guard let id else {
            guard pending.count == 1 else {
                throw CommandFailure(
                    .usage,
                    "\(pending.count) requests are waiting",
                    hint: "countersign pending shows them; name one"
                )
            }
            return pending[0]
        }
        let mayBeEnd = !wholly && id.count >= Self.minimumOfID
        let named = pending.filter { $0.id == id || mayBeEnd && $0.id.hasSuffix(id) }
        guard let first = named.first else {
            throw CommandFailure(
                .nothingPending,
                "no request of this id is waiting",
                hint: "countersign pending shows which are, by their whole ids"
            )
        }
        guard named.count == 1 else {
            throw CommandFailure(.usage, "several requests end so", hint: "name more of the id")
        }
        return first
    }

    /// Their beginnings are alike, as they begin with the time.
    private static let minimumOfID = 4
}

/// Nil where it has none that can be shown.
private func machineName() -> String? {
    var name = [CChar](repeating: 0, count: 65)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return DeviceName(String(decoding: bytes, as: UTF8.self))?.text
}
