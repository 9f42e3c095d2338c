import CCurl
import Dispatch

/// Runs all transfers of a client on one serial queue; only this queue calls libcurl.
///
/// During a transfer, the queue alternates between two steps: libcurl does all it can without
/// waiting, then waits for a socket or a wake-up. The queue has its own thread outside Swift's
/// cooperative pool, and no thread without transfers.
///
/// `@unchecked`: all variable state belongs to the queue.
final class TransferQueue: @unchecked Sendable {
    typealias Caller = @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void

    private let multi: UnsafeMutableRawPointer
    private let queue = DispatchQueue(label: "HTTPClient")
    private var running: [UnsafeMutableRawPointer: (transfer: Transfer, caller: Caller)] = [:]
    private var isTakingTurns = false

    init() throws(HTTPFailure) {
        multi = try Curl.makeMulti()
    }

    deinit {
        // Closes the kept connections.
        curl_multi_cleanup(multi)
    }

    func start(_ transfer: Transfer, caller: @escaping Caller) {
        perform { [self] in
            guard !transfer.isCancelled else { return caller(.failure(.cancelled(isSent: false))) }
            let status = curl_multi_add_handle(multi, transfer.easy.pointer)
            guard status == CURLM_OK else { return caller(.failure(HTTPFailure(status))) }
            running[transfer.easy.pointer] = (transfer, caller)
            transfer.noteActivity()
            if !isTakingTurns { takeTurn() }
        }
    }

    /// Ignores a transfer that has ended; ends one that has not started.
    func cancel(_ transfer: Transfer) {
        perform { [self] in
            transfer.isCancelled = true
            end(transfer.easy.pointer) { .failure(.cancelled(isSent: $0.hasBeenSent)) }
        }
    }

    /// Continues a paused transfer.
    func resume(_ transfer: Transfer) {
        perform { [self] in
            let easy = transfer.easy.pointer
            guard running[easy] != nil else { return }
            transfer.noteActivity()
            let status = curl_easy_pause(easy, CURLPAUSE_CONT)
            if status != CURLE_OK { end(easy) { $0.result(status) } }
        }
    }

    /// Adds a job to the queue, then ends the wait, after which the next turn is queued.
    private func perform(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
        curl_multi_wakeup(multi)
    }

    private func takeTurn() {
        let status = advance()
        if status != CURLM_OK {
            for easy in running.keys { end(easy) { .failure($0.failure(HTTPFailure(status))) } }
        }
        isTakingTurns = !running.isEmpty
        if isTakingTurns { queue.async { self.takeTurn() } }
    }

    private func advance() -> CURLMcode {
        var count: Int32 = 0
        let status = curl_multi_perform(multi, &count)
        while let message = curl_multi_info_read(multi, &count)?.pointee {
            end(message.easy_handle) { $0.result(message.data.result) }
        }
        endLateTransfers()
        guard status == CURLM_OK, !running.isEmpty else { return status }
        // libcurl ends the wait itself if one of its timers expires first.
        return curl_multi_poll(multi, nil, 0, millisecondsToEnd, nil)
    }

    private func endLateTransfers() {
        let now = ContinuousClock.now
        for (easy, (transfer, _)) in running {
            guard let end = transfer.end, end <= now else { continue }
            self.end(easy) { $0.result(CURLE_OPERATION_TIMEDOUT) }
        }
    }

    /// The time until the first transfer ends by itself, rounded up.
    private var millisecondsToEnd: Int32 {
        let ends = running.values.compactMap(\.transfer.end)
        guard let first = ends.min() else { return .max }
        let milliseconds = ((first - .now) / .milliseconds(1)).rounded(.up)
        return Int32(min(max(milliseconds, 0), Double(Int32.max)))
    }

    private func end(
        _ easy: UnsafeMutableRawPointer,
        as result: (Transfer) -> Result<HTTPResponse, HTTPFailure>
    ) {
        guard let (transfer, caller) = running.removeValue(forKey: easy) else { return }
        let result = result(transfer)
        curl_multi_remove_handle(multi, easy)
        caller(result)
    }
}
