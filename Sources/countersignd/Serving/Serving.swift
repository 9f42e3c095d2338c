import CommandLineTool
import Glibc
import VerifierServer

/// `countersignd run`: a verifier server that follows signals and the service manager.
struct Serving: Sendable {
    private let configuration: Configuration
    private let server: VerifierServer
    private let manager: ServiceManager

    init(
        _ configuration: Configuration,
        _ server: Configuration.Server,
        for manager: ServiceManager
    ) {
        self.configuration = configuration
        self.server = VerifierServer(
            configuration: VerifierServer.Configuration(configuration, server, for: manager)
        )
        self.manager = manager
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
            manager.tell(.ready)
            for await signal in signals {
                guard signal == SIGHUP else { break }
                manager.tell(.reloading)
                await server.reloadCertificates()
                manager.tell(.ready)
            }
            Task { await endAtOnce(after: signals, log) }
            manager.tell(.stopping)
            await server.stop()
        } catch {
            throw CommandFailure(error, of: configuration)
        }
    }

    /// Ends the process while it still waits for a client, a bank or the store.
    ///
    /// Like `kill -9`, it loses no decision that was answered.
    private func endAtOnce(after signals: AsyncStream<Int32>, _ log: Log?) async {
        for await signal in signals where signal != SIGHUP {
            log?.announce("ended at once")
            _exit(ExitCode.interrupted.rawValue)
        }
    }
}
