import CommandLineTool
import ConfigurationFiles
import Cryptography
import Glibc
import HTTPServer
import PrivateFiles
import ServerOperation
import Storage
import StrictJSON
import ThreeDSIssuer

/// `countersign-acs run`: an ACS that follows signals and the service manager.
struct Serving {
    private let configuration: Configuration
    private let manager: ServiceManager
    private let metrics = IssuerMetrics()
    private let failures = RecentFailures()
    private let log: Log
    private let isStopping = LockedValue(false)

    init(_ configuration: Configuration, for manager: ServiceManager) {
        self.configuration = configuration
        self.manager = manager
        log = Log(to: STDERR_FILENO, from: configuration.logLevel) { [metrics] in
            metrics.countDroppedLine()
        }
    }

    /// The first signal stops the server gracefully; a second one ends the process at once.
    func run(on terminal: Terminal) async throws(CommandFailure) {
        try await Installation(configuration: configuration).withStore(preparesStore: true) {
            store throws(CommandFailure) in
            let service = try configuration.service(over: store, reporting: observer)
            let retention = try await retentionClock(of: service)
            let endpoints = try endpoints(of: service, store)
            let signals = terminal.signals()
            for endpoint in endpoints { try await endpoint.start() }
            log.announce("started", ["addresses": addresses(of: endpoints)])
            let work = Task { await service.run() }
            let removal = Task { await removeOld(service, by: retention) }
            manager.notify(.ready)
            for await signal in signals {
                guard signal == SIGHUP else { break }
                manager.notify(.reloading)
                for endpoint in endpoints { await endpoint.reload(log) }
                manager.notify(.ready)
            }
            let ending = Task { await endAtOnce(after: signals) }
            manager.notify(.stopping)
            isStopping.withLock { $0 = true }
            service.endWaits()
            await withDiscardingTaskGroup { group in
                for endpoint in endpoints {
                    group.addTask { await endpoint.endpoint.server.stop(within: Self.grace) }
                }
            }
            removal.cancel()
            work.cancel()
            await removal.value
            await work.value
            ending.cancel()
            log.announce("stopped")
        }
    }

    private var observer: IssuerObserver {
        IssuerObserver { [log, metrics, failures] event in
            metrics.count(event)
            switch failures.line(about: event) {
            case .failure: log.write(event)
            case .furtherFailures: log.writeFurtherFailures()
            case nil: break
            }
        }
    }

    private static let grace = Duration.seconds(20)

    /// Like `kill -9`, it loses no result: everything was committed before it was sent.
    private func endAtOnce(after signals: AsyncStream<Int32>) async {
        for await signal in signals where signal != SIGHUP {
            log.announce("ended at once")
            _exit(ExitCode.interrupted.rawValue)
        }
    }

    /// Before the first message: new rows would have the time of a wrong clock.
    private func retentionClock(
        of service: IssuerService
    ) async throws(CommandFailure) -> RetentionClock {
        do throws(StoreFailure) {
            let clock = try await service.retentionClock()
            if let last = clock.lastBeforePause { log.write(lateClock: last) }
            return clock
        } catch {
            throw CommandFailure(error, of: configuration.store.place)
        }
    }

    private func removeOld(_ service: IssuerService, by clock: RetentionClock) async {
        while !Task.isCancelled {
            do throws(StoreFailure) {
                try await service.removeOld(at: clock.now)
            } catch {
                log.write(.storeFailed(error))
            }
            // Ends early only if the task is cancelled.
            try? await Task.sleep(for: .seconds(3600))
        }
    }
}

// MARK: Endpoints

/// A listener with its section of the configuration.
private struct NamedEndpoint {
    let section: String
    let settings: ListenerSettings
    let endpoint: HTTPEndpoint

    func start() async throws(CommandFailure) {
        do throws(ListenerFailure) {
            try await endpoint.start()
        } catch {
            throw CommandFailure(error, of: section, at: settings.addresses)
        }
    }

    func reload(_ log: Log) async {
        guard let tls = await endpoint.reload(named: section, log) else { return }
        log.write(expiryOf: tls)
    }
}

extension Serving {
    private func endpoints(
        of service: IssuerService,
        _ store: IssuerStore
    ) throws(CommandFailure) -> [NamedEndpoint] {
        let directories = DirectoryRoutes(service)
        let challenges = ChallengeRoutes(service)
        let server = configuration.server
        var endpoints = [
            try endpoint(
                "server.directories",
                server.directories,
                .ofPrograms(bodyBytes: DirectoryRoutes.maximumByteCount)
            ) { await directories.respond(to: $0) },
            try endpoint(
                "server.challenges",
                server.challenges,
                .ofChallenges(server)
            ) { await challenges.respond(to: $0) },
        ]
        if let issuer = configuration.issuer {
            let token = try issuer.accessToken().text
            let routes: IssuerRoutes
            do throws(CryptographyFailure) {
                routes = try IssuerRoutes(service, token: token)
            } catch {
                throw CommandFailure(SystemFailure(error))
            }
            endpoints.append(
                try endpoint("server.issuer", issuer.listener, .ofPrograms()) { request in
                    await routes.respond(to: request)
                }
            )
        }
        if let operation = configuration.operation {
            let routes = OperationRoutes(
                metrics: metrics,
                of: store,
                on: configuration.store.volume,
                isStopping: isStopping
            )
            endpoints.append(
                try named("operation", operation, .ofOperation) { [log] request in
                    let response = await routes.respond(to: request)
                    log.write(check: routes.route(of: request), status: response.status)
                    return response
                }
            )
        }
        return endpoints
    }

    /// An endpoint whose requests are counted and logged.
    private func endpoint(
        _ section: String,
        _ settings: ListenerSettings,
        _ limits: EndpointLimits,
        _ respond: @escaping @Sendable (Request) async -> RoutedResponse
    ) throws(CommandFailure) -> NamedEndpoint {
        let report = { @Sendable [metrics, log] (routed: RoutedResponse, duration: Duration?) in
            metrics.count(routed, by: section, lasting: duration)
            log.write(routed, by: section, lasting: duration ?? .zero)
            return routed.response
        }
        return try named(
            section,
            settings,
            limits,
            explaining: { report(.refused($0), nil) }
        ) { request in
            let start = ContinuousClock.now
            let routed = await respond(request)
            return report(routed, ContinuousClock.now - start)
        }
    }

    private func named(
        _ section: String,
        _ settings: ListenerSettings,
        _ limits: EndpointLimits,
        explaining explain: @escaping Server.Explanation = { Response(status: $0.status) },
        _ respond: @escaping Server.Handler
    ) throws(CommandFailure) -> NamedEndpoint {
        do throws(ListenerFailure) {
            let endpoint = try HTTPEndpoint(
                settings,
                limits,
                explaining: explain,
                observing: { [metrics, log] in metrics.refusals.note($0, at: section, in: log) },
                handler: respond
            )
            return NamedEndpoint(section: section, settings: settings, endpoint: endpoint)
        } catch {
            throw CommandFailure(error, of: section, at: settings.addresses)
        }
    }

    private func addresses(of endpoints: [NamedEndpoint]) -> JSONValue {
        .object(
            endpoints.map { JSONValue.Member(name: $0.section, value: $0.endpoint.addressList) }
        )
    }
}

extension EndpointLimits {
    /// The endpoints for directories, challenges and the issuer share the descriptors.
    private static let share = 3
    private static let connections = 10_000

    /// For directory servers and the issuer's programs, which have few addresses.
    fileprivate static func ofPrograms(bodyBytes: Int? = nil) -> EndpointLimits {
        EndpointLimits(
            connections: connections,
            limitsEachAddress: false,
            share: share,
            bodyBytes: bodyBytes
        )
    }

    /// Without TLS, all clients have the address of a proxy.
    fileprivate static func ofChallenges(_ server: Configuration.Server) -> EndpointLimits {
        let hasTLS = server.challenges.tls != nil
        return EndpointLimits(
            connections: connections,
            connectionsPerAddress: hasTLS ? server.connectionsPerAddress : nil,
            limitsEachAddress: hasTLS,
            share: share,
            bodyBytes: ChallengeRoutes.maximumByteCount
        )
    }
}
