import PrivateFiles

/// A response whose body is read while it arrives.
///
/// A server that sends faster than the pieces are read has to wait.
package struct HTTPStream: Sendable {
    package let status: Int
    package let headers: [HTTPHeaderLine]
    /// The pieces end with the connection, whatever the reason.
    ///
    /// Dropping the sequence ends the request.
    package let pieces: AsyncStream<[UInt8]>
    /// Ends with the response: true if the whole body has arrived.
    fileprivate let completion: Task<Bool, Never>

    /// Waits for the end of the response; returns whether the whole body has arrived.
    package func isComplete() async -> Bool { await completion.value }
}

/// Delivers a stream at the first piece of the body, and then each piece.
///
/// `@unchecked`: it belongs to its creator until its transfer starts, and then to the queue. Only
/// `backlog` belongs to the reader as well.
final class StreamReceiver: @unchecked Sendable {
    typealias Caller = @Sendable (Result<HTTPStream, HTTPFailure>) -> Void

    private let caller: Caller
    private let resume: @Sendable () -> Void
    private let continuation: AsyncStream<[UInt8]>.Continuation
    /// Has an element if the response is complete.
    private let (completion, complete) = AsyncStream<Void>.makeStream()
    /// Nil after delivery: a reference to it keeps the request running.
    private var arrived: AsyncStream<[UInt8]>?
    private let backlog = LockedValue(Backlog())

    init(
        _ caller: @escaping Caller,
        whenRead resume: @escaping @Sendable () -> Void,
        whenLeft leave: @escaping @Sendable () -> Void
    ) {
        (self.caller, self.resume) = (caller, resume)
        let (arrived, continuation) = AsyncStream<[UInt8]>.makeStream()
        (self.arrived, self.continuation) = (arrived, continuation)
        continuation.onTermination = { _ in leave() }
    }

    /// Returns false if the transfer must pause until `whenRead` is called.
    func takes(_ piece: [UInt8], of head: HTTPResponse) -> Bool {
        begin(head)
        guard backlog.withLock({ $0.hasRoom() }) else { return false }
        continuation.yield(piece)
        return true
    }

    func end(_ result: Result<HTTPResponse, HTTPFailure>) {
        switch result {
        case .success(let head):
            begin(head)
            if head.hasKnownEnd { complete.yield() }
        case .failure(let failure): if arrived != nil { caller(.failure(failure)) }
        }
        complete.finish()
        continuation.finish()
    }

    private func begin(_ head: HTTPResponse) {
        guard let arrived else { return }
        self.arrived = nil
        let stream = HTTPStream(
            status: head.status,
            headers: head.headers,
            pieces: AsyncStream(unfolding: { await self.next(of: arrived) }),
            completion: Task { [completion] in await completion.contains { _ in true } }
        )
        caller(.success(stream))
    }

    private func next(of arrived: AsyncStream<[UInt8]>) async -> [UInt8]? {
        let piece = await arrived.first { _ in true }
        if piece != nil, backlog.withLock({ $0.endsPause() }) { resume() }
        return piece
    }
}

/// The number of pieces that arrived and were not read.
private struct Backlog {
    private static let limit = 64

    private var count = 0
    private var isPaused = false

    /// Counts a piece that arrived, if there is room for it.
    mutating func hasRoom() -> Bool {
        isPaused = count == Self.limit
        if !isPaused { count += 1 }
        return !isPaused
    }

    /// Counts a piece that was read; returns whether a paused transfer can continue.
    mutating func endsPause() -> Bool {
        count -= 1
        guard isPaused, count <= Self.limit / 2 else { return false }
        isPaused = false
        return true
    }
}

extension HTTPResponse {
    /// Whether the header shows where the body ends (RFC 9112, section 6.3).
    ///
    /// Otherwise the body ends with the connection, which anyone on the way can end.
    fileprivate var hasKnownEnd: Bool {
        status == 204
            || headers.contains {
                // libcurl ignores a length that is too large for a number.
                $0.isNamed("transfer-encoding")
                    || $0.isNamed("content-length") && Int($0.value) != nil
            }
    }
}
