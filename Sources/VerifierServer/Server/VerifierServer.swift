package import ServerOperation

/// A verifier that devices and the bank's programs reach over HTTP.
///
/// It opens its own store, journal and keys, serves both APIs, and delivers webhooks and pushes.
/// `countersignd init` creates the store, the keys and the journal that it opens.
///
/// ```swift
/// let server = VerifierServer(configuration: configuration)
/// try await server.run()
/// ```
public actor VerifierServer {
    public nonisolated let configuration: Configuration
    private let webFiles: [WebFile]

    private enum State {
        case new
        case opening(Task<Result<VerifierNode, Failure>, Never>)
        case open(VerifierNode)
        case running(VerifierNode, jobs: Task<Void, Never>)
        case stopped
    }

    private var state = State.new
    /// Set by the first `stop()`; all callers wait for it.
    private var stopping: Task<Void, Never>?
    private let (end, reportEnd) = AsyncStream<Never>.makeStream()

    public init(configuration: Configuration) {
        self.init(configuration: configuration, webFiles: WebFiles.all)
    }

    init(configuration: Configuration, webFiles: [WebFile]) {
        self.configuration = configuration
        self.webFiles = webFiles
    }

    /// Starts, serves until `stop()` is called or the task is cancelled, and then stops gracefully.
    public func run() async throws(Failure) {
        // A `stop()` during the start ends it like a later one.
        guard try await starts() else { return }
        for await _ in end {}
        await stop()
    }

    /// Opens the store and listens; returns when clients can connect.
    public func start() async throws(Failure) {
        guard try await starts() else { throw Failure(.startedBefore) }
    }

    /// Returns false if `stop()` was called during the start.
    private func starts() async throws(Failure) -> Bool {
        if case .new = state, !(try await open()) { return false }
        guard case .open(let node) = state else { throw Failure(.startedBefore) }
        do throws(Failure) {
            try await node.listen()
        } catch {
            await stop()
            throw error
        }
        guard case .open = state else {
            await stop()
            return false
        }
        node.announceListening()
        let jobs = Task { await node.runJobs() }
        state = .running(node, jobs: jobs)
        return true
    }

    /// Finishes the requests in progress within `configuration.limits.drain`, then closes the store.
    ///
    /// Returns when everything is closed. A server that was stopped cannot be started again.
    public func stop() async {
        // Not in the caller's task: its cancellation must not cut requests off.
        let stopping = stopping ?? Task { [state] in await Self.end(state) }
        self.stopping = stopping
        state = .stopped
        await stopping.value
        reportEnd.finish()
    }

    private static func end(_ state: State) async {
        switch state {
        case .new, .stopped: break
        case .opening(let opening):
            if case .success(let node) = await opening.value { await node.close() }
        case .open(let node):
            // Some of its endpoints may listen already.
            await node.drain()
            await node.close()
        case .running(let node, let jobs):
            await node.drain()
            jobs.cancel()
            await jobs.value
            await node.close()
        }
    }

    /// Reads the files of certificates and keys again, for new connections.
    ///
    /// An endpoint whose new files are unusable keeps its certificate; the log has the reason.
    public func reloadCertificates() async {
        if case .running(let node, _) = state { await node.reloadCertificates() }
    }

    /// The ports of `configuration.api`, in the order of its addresses; empty until it is started.
    public var ports: [Int] { node?.ports ?? [] }

    /// The ports of `configuration.bank`.
    public var bankPorts: [Int] { node?.bankPorts ?? [] }

    /// The ports of `configuration.operation`.
    public var operationPorts: [Int] { node?.operationPorts ?? [] }

    private var node: VerifierNode? {
        switch state {
        case .open(let node), .running(let node, _): node
        case .new, .opening, .stopped: nil
        }
    }
}

extension VerifierServer {
    /// Opens the store and binds the ports, which may take long for a large store; `start` listens.
    ///
    /// Returns false if `stop()` was called meanwhile.
    @discardableResult
    package func open() async throws(Failure) -> Bool {
        guard case .new = state else { throw Failure(.startedBefore) }
        let opening = Task { [configuration, webFiles] in
            do throws(Failure) {
                return Result<_, Failure>.success(
                    try await VerifierNode.open(configuration, webFiles: webFiles)
                )
            } catch {
                return .failure(error)
            }
        }
        state = .opening(opening)
        let result = await opening.value
        // `stop()` closes the node.
        guard case .opening = state else { return false }
        do throws(Failure) {
            state = .open(try result.get())
        } catch {
            state = .stopped
            throw error
        }
        return true
    }

    /// The log of this server, for a program that reports its own steps there.
    package var log: Log? { node?.log }
}
