/// A response whose body is read as it comes.
package struct HTTPStream: Sendable {
    package let status: Int
    package let headers: [HTTPHeaderLine]
    /// They end where no more comes, for whatever reason: what must be whole says so itself.
    ///
    /// Who does not listen any more ends the request.
    package let pieces: AsyncStream<[UInt8]>
}

/// Gives a stream as soon as its first piece is there, and then the pieces one by one.
///
/// `@unchecked`: it belongs to who makes it until its transfer is started, and then to the queue.
final class StreamReceiver: @unchecked Sendable {
    typealias Caller = @Sendable (Result<HTTPStream, HTTPFailure>) -> Void

    /// Of a server that sends more than is read, nothing more is taken.
    private static let maximumUnread = 64

    private let caller: Caller
    private let continuation: AsyncStream<[UInt8]>.Continuation
    /// Nil once the caller has it: whoever keeps it keeps the request going.
    private var pieces: AsyncStream<[UInt8]>?

    init(_ caller: @escaping Caller, whenLeft leave: @escaping @Sendable () -> Void) {
        self.caller = caller
        let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.maximumUnread)
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
        case .success(let head): begin(head)
        case .failure(let failure): if pieces != nil { caller(.failure(failure)) }
        }
        continuation.finish()
    }

    private func begin(_ head: HTTPResponse) {
        guard let pieces else { return }
        self.pieces = nil
        caller(.success(HTTPStream(status: head.status, headers: head.headers, pieces: pieces)))
    }
}
