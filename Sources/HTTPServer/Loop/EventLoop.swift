import CLinux
import Glibc
import PrivateFiles

/// A thread that waits for descriptors and executes Swift jobs.
///
/// It is the executor of its connections and of their handlers: their state is used only on its
/// thread.
///
/// `@unchecked`: everything mutable is used only on that thread. The inbox has a lock, and `thread`
/// is set before the loop is shared.
final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    private let epoll: CInt
    private let wakeUpDescriptor: CInt
    private let inbox = Inbox()
    private var thread: Thread?

    private var sources: [UInt64: any EventSource] = [:]
    private var lastToken: UInt64 = 0
    private var isEnding = false
    private var nextCheck = ContinuousClock.now
    private var date = (second: 0, value: HTTPDate(secondsSince1970: 0))

    /// The time of the last wake-up.
    private(set) var now = ContinuousClock.now
    /// The shared read buffer; connections copy what they keep.
    var buffer = [UInt8](repeating: 0, count: 16_384)

    /// The interval between deadline checks.
    private let checkInterval: Duration

    init(checkInterval: Duration) throws(ServerFailure) {
        self.checkInterval = checkInterval
        (epoll, wakeUpDescriptor) = (countersign_epoll(), countersign_event_descriptor())
        guard
            epoll >= 0, wakeUpDescriptor >= 0,
            countersign_watch(epoll, wakeUpDescriptor, Readiness.toRead.rawValue, 0) == 0
        else { throw .errorNumber(errno) }
    }

    deinit {
        for descriptor in [epoll, wakeUpDescriptor] where descriptor >= 0 { close(descriptor) }
    }

    func start() throws(ServerFailure) {
        do throws(ThreadUnavailable) {
            thread = try Thread { [self] in run() }
        } catch {
            throw .errorNumber(error.errorNumber)
        }
    }

    /// Ends the thread when it watches nothing.
    func end() {
        call { self.isEnding = true }
    }

    /// Returns when the thread has ended; it watches nothing by then.
    func join() {
        thread?.join()
    }

    /// Lets the thread end later by itself.
    func detach() {
        thread?.detach()
    }
}

// MARK: Executor

extension EventLoop {
    func enqueue(_ job: consuming ExecutorJob) {
        put(.job(UnownedJob(job)))
    }

    func call(_ body: @escaping @Sendable () -> Void) {
        put(.call(body))
    }

    func checkIsolated() {
        precondition(isCurrent, "on another thread than the loop's")
    }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool { thread?.isCurrent == true }

    /// The loop's own thread checks the inbox before it waits, so it needs no wake-up.
    private func put(_ item: Inbox.Item) {
        guard inbox.put(item), !isCurrent else { return }
        var one: UInt64 = 1
        // It fails only if many wake-ups are already pending.
        _ = write(wakeUpDescriptor, &one, MemoryLayout.size(ofValue: one))
    }
}

// MARK: On its thread

extension EventLoop {
    var currentDate: HTTPDate {
        let second = time(nil)
        if second != date.second { date = (second, HTTPDate(secondsSince1970: second)) }
        return date.value
    }

    /// Wipes the first bytes of the buffer: they may be a code.
    func wipeBuffer(_ count: Int) {
        buffer.replaceSubrange(..<count, with: repeatElement(0, count: count))
    }

    var everySource: [any EventSource] { Array(sources.values) }

    var sourceCount: Int { sources.count }

    /// Reports each readiness change of the descriptor until `forget`; nil if the system cannot.
    func watch(_ descriptor: CInt, for readiness: Readiness, _ source: any EventSource) -> UInt64? {
        lastToken += 1
        let flags = readiness.union(.onceEach).rawValue
        guard countersign_watch(epoll, descriptor, flags, lastToken) == 0 else { return nil }
        sources[lastToken] = source
        return lastToken
    }

    func forget(_ token: UInt64) {
        sources[token] = nil
    }

    private func run() {
        blockPipeSignal()
        // Few, so that a crowd of new connections does not delay the handlers of others.
        var events = [countersign_event](repeating: countersign_event(), count: 32)
        var items: [Inbox.Item] = []
        while true {
            inbox.take(&items)
            for item in items { run(item) }
            if isEnding, sources.isEmpty { return }
            // Executed jobs may have filled the inbox again.
            let pause = items.isEmpty ? timeToCheck : 0
            items.removeAll(keepingCapacity: true)
            let count = countersign_wait(epoll, &events, CInt(events.count), pause)
            now = .now
            for event in events.prefix(Int(max(count, 0))) { handle(event) }
            checkDeadlines()
        }
    }

    /// A write to a client that has left must fail, not end the process.
    private func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// In milliseconds; -1 waits without limit.
    private var timeToCheck: CInt {
        sources.isEmpty ? -1 : CInt(max(0, (nextCheck - now) / .milliseconds(1)).rounded(.up))
    }

    private func checkDeadlines() {
        guard now >= nextCheck else { return }
        nextCheck = now + checkInterval
        for source in sources.values { source.check(at: now) }
    }

    private func handle(_ event: countersign_event) {
        guard event.token != 0 else {
            var count: UInt64 = 0
            _ = read(wakeUpDescriptor, &count, MemoryLayout.size(ofValue: count))
            return
        }
        sources[event.token]?.handle(Readiness(rawValue: event.readiness))
    }

    private func run(_ item: Inbox.Item) {
        switch item {
        case .job(let job):
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(),
                taskExecutor: asUnownedTaskExecutor()
            )
        case .call(let body): body()
        }
    }
}
