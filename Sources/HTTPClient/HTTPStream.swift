/// A response whose body is read while it arrives.
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
/// `@unchecked`: it belongs to its creator until its transfer starts, and then to the queue.
final class StreamReceiver: @unchecked Sendable {
    typealias Caller = @Sendable (Result<HTTPStream, HTTPFailure>) -> Void

    /// A server that sends more unread pieces is cut off.
    private static let maximumUnreadPieces = 64

    private let caller: Caller
    private let continuation: AsyncStream<[UInt8]>.Continuation
    /// Has an element if the response is complete.
    private let (completion, complete) = AsyncStream<Void>.makeStream()
    /// Nil after delivery: a reference to it keeps the request running.
    private var pieces: AsyncStream<[UInt8]>?

    init(_ caller: @escaping Caller, whenLeft leave: @escaping @Sendable () -> Void) {
        self.caller = caller
        let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.maximumUnreadPieces)
        )
        (self.pieces, self.continuation) = (pieces, continuation)
        continuation.onTermination = { _ in leave() }
    }

    func take(_ piece: [UInt8], of head: HTTPResponse) throws(HTTPFailure) {
        begin(head)
        guard case .enqueued = continuation.yield(piece) else { throw .responseTooLarge }
    }

    func end(_ result: Result<HTTPResponse, HTTPFailure>) {
        switch result {
        case .success(let head):
            begin(head)
            complete.yield()
        case .failure(let failure): if pieces != nil { caller(.failure(failure)) }
        }
        complete.finish()
        continuation.finish()
    }

    private func begin(_ head: HTTPResponse) {
        guard let pieces else { return }
        self.pieces = nil
        let stream = HTTPStream(
            status: head.status,
            headers: head.headers,
            pieces: pieces,
            completion: Task { [completion] in await completion.contains { _ in true } }
        )
        caller(.success(stream))
    }
}
