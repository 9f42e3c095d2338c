import CommandLineTool
import Cryptography
import Glibc
import HTTPServer
import OneTimePassword
import StrictJSON
import Verification
import VerifierServer

/// A verifier at work: what it answers, what it does unasked, and what it says of itself.
struct Serving: Sendable {
    private let verifier: Verifier
    private let api: HTTPEndpoint
    /// Nil where nobody watches it.
    private let operation: HTTPEndpoint?
    private let operationAPI: OperationAPI
    private let housekeeping: Housekeeping
    private let dispatcher: OutboxDispatcher
    private let manager: ServiceManager
    private let drain: Duration
    private let log: Log

    /// Has its ports from now on; nobody is served before it runs.
    init(
        _ server: Configuration.Server,
        over verifier: Verifier,
        of installation: Installation,
        for manager: ServiceManager
    ) throws(CommandFailure) {
        let configuration = installation.configuration
        let metrics = Metrics()
        let log = Log(to: STDERR_FILENO, from: configuration.logLevel, metrics: metrics)
        let reporter = Reporter(metrics: metrics, log: log)
        let router = try Self.router(server, verifier, installation, metrics, reporter)
        let operationAPI = OperationAPI(
            verifier,
            writingTo: configuration.volumes,
            metrics: metrics,
            reporter: reporter
        )
        let operationName = "operation"
        // What the keys came through is closed by now, and another's.
        let sockets = manager.descriptors.filter { $0.number != configuration.keyDescriptor }
        api = try HTTPEndpoint(
            server.listening,
            inheriting: sockets.filter { $0.name != operationName },
            atMost: server.connections,
            reporter
        ) { await router.answer($0) }
        operation = try configuration.operation.map { listening throws(CommandFailure) in
            try HTTPEndpoint(
                listening,
                inheriting: sockets.filter { $0.name == operationName },
                atMost: .ofOperation,
                reporter,
                threadCount: 1
            ) { await operationAPI.answer($0) }
        }
        self.verifier = verifier
        self.operationAPI = operationAPI
        housekeeping = Housekeeping(verifier, metrics: metrics, log: log)
        dispatcher = OutboxDispatcher(
            verifier,
            to: try installation.addresses(),
            metrics: metrics,
            log: log
        )
        verifier.notifier.addObserver { metrics.count($0) }
        self.manager = manager
        drain = server.drain
        self.log = log
    }

    private static func router(
        _ server: Configuration.Server,
        _ verifier: Verifier,
        _ installation: Installation,
        _ metrics: Metrics,
        _ reporter: Reporter
    ) throws(CommandFailure) -> Router {
        let (key, next) = (try installation.responseKey(), try installation.nextResponseKey())
        do throws(CryptographyFailure) {
            return Router(
                devices: try DeviceAPI(
                    verifier,
                    at: server.origin,
                    signingWith: key,
                    next: next?.publicKey,
                    metrics: metrics
                ),
                bank: try BankAPI(verifier, at: server.origin, metrics: metrics),
                reporter: reporter
            )
        } catch {
            throw CommandFailure(SystemFailure(error))
        }
    }
}

// MARK: Its life

extension Serving {
    /// Serves until a signal says that it is to stop, and then answers what it was asked; until a
    /// second one says that it is to end.
    func run(until signals: AsyncStream<Int32>) async throws(CommandFailure) {
        for front in fronts { try await front.start() }
        let chores = Task {
            async let tidied: Void = housekeeping.run()
            async let told: Void = dispatcher.run()
            _ = await (tidied, told)
        }
        log.announce(
            "listening",
            [
                "server": api.addresses, "operation": operation?.addresses ?? .array([]),
                "connections": .number(JSONNumber(api.connections)),
            ]
        )
        manager.tell(.ready)
        for await signal in signals {
            guard signal == SIGHUP else { break }
            await reload()
        }
        Task { await endAtOnce(toldBy: signals) }
        await stop()
        chores.cancel()
        await chores.value
    }

    private var fronts: [HTTPEndpoint] { [api] + [operation].compactMap { $0 } }

    private func reload() async {
        manager.tell(.reloading)
        for front in fronts { await front.reloadCertificates(log) }
        manager.tell(.ready)
    }

    private func stop() async {
        manager.tell(.stopping)
        log.announce("stopping")
        operationAPI.stop()
        verifier.notifier.end()
        await api.server.stop(within: drain)
        // Last, so that until then it can be seen that this one stops.
        await operation?.server.stop(within: .zero)
        log.announce("stopped")
    }

    /// Ends the process, whatever it still waits for: a client, a bank, or a store that answers no more.
    ///
    /// As by kill -9, nothing is lost that was said yes to.
    private func endAtOnce(toldBy signals: AsyncStream<Int32>) async {
        for await signal in signals where signal != SIGHUP {
            log.announce("ended at once")
            _exit(ExitCode.interrupted.rawValue)
        }
    }
}
