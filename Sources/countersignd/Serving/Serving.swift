import CommandLineTool
import Glibc
import ServerOperation
import VerifierServer

/// `countersignd run`: a verifier server that follows signals and the service manager.
struct Serving: Sendable {
    private let configuration: Configuration
    private let server: VerifierServer
    private let manager: ServiceManager

    init(_ configuration: Configuration, for manager: ServiceManager) throws(CommandFailure) {
        self.configuration = configuration
        self.manager = manager
        var verifier = configuration.verifier
        // The descriptor of the encryption keys is read before sockets are used.
        let sockets = manager.descriptors.filter {
            verifier.keys.encryption != .descriptor($0.number)
        }
        let (server, bank, operation) = ("server", "bank", "operation")
        let missing = [bank: verifier.bank == nil, operation: verifier.operation == nil]
        for socket in sockets where missing[socket.name] == true {
            throw CommandFailure(
                .malformedInput,
                "the service manager passed a socket named \(socket.name), but the member "
                    + "\(socket.name) is missing",
                hint: "add the member, or remove the socket unit"
            )
        }
        // A socket for the bank without its name would serve devices.
        if verifier.bank != nil,
            let other = sockets.first(where: { ![server, bank, operation].contains($0.name) })
        {
            throw CommandFailure(
                .malformedInput,
                "the service manager passed a socket named \"\(other.name.onOneLine)\"; with "
                    + "bank.listen, each socket needs a known name",
                hint: "set FileDescriptorName= of its unit to server, bank or operation"
            )
        }
        verifier.api.inheritedSockets =
            sockets.filter { ![bank, operation].contains($0.name) }.map(\.number)
        verifier.bank?.inheritedSockets = sockets.filter { $0.name == bank }.map(\.number)
        verifier.operation?.inheritedSockets =
            sockets.filter { $0.name == operation }.map(\.number)
        self.server = VerifierServer(configuration: verifier)
    }

    /// The first signal stops the server gracefully; a second one ends the process at once.
    ///
    /// Until the store is open, which may take long, a signal ends the process: nothing is lost.
    func run(on terminal: Terminal) async throws(CommandFailure) {
        do throws(VerifierServer.Failure) {
            try await server.open()
            let log = await server.log
            let signals = terminal.signals()
            try await server.start()
            manager.notify(.ready)
            for await signal in signals {
                guard signal == SIGHUP else { break }
                manager.notify(.reloading)
                await server.reloadCertificates()
                manager.notify(.ready)
            }
            Task { await endAtOnce(after: signals, log) }
            manager.notify(.stopping)
            await server.stop()
        } catch {
            throw CommandFailure(error.cause, of: configuration)
        }
    }

    /// Ends the process while it still waits for a client, a bank or the store.
    ///
    /// Like `kill -9`, it loses no acknowledged decision.
    private func endAtOnce(after signals: AsyncStream<Int32>, _ log: Log?) async {
        for await signal in signals where signal != SIGHUP {
            log?.announce("ended at once")
            _exit(ExitCode.interrupted.rawValue)
        }
    }
}
