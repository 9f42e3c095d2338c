/// Sends requests to servers that it has made sure of: TLS 1.2 or later with forward secrecy, a
/// trusted certificate for the server's name, and a pinned key where there are pins.
///
/// It follows no redirect, keeps no cookie, repeats no refused request with a password and
/// decompresses nothing. Connections are kept for later requests until the last copy of the client
/// is gone. Where a server closes such a connection before it answers with a single byte, libcurl
/// sends the request again on a new one: a server may see a request twice.
package struct HTTPClient: Sendable {
    private let configuration: Configuration
    private let transfers: TransferQueue

    package init(_ configuration: Configuration) throws(HTTPFailure) {
        self.configuration = configuration
        transfers = try TransferQueue()
    }

    /// Whether requests to `url` can be sent, whoever is there.
    package func takes(_ url: String) -> Bool {
        let request = HTTPRequest(.get, url)
        // Why it takes none is for whoever sends one.
        return (try? request.scheme(allowsPlainLoopback: configuration.allowsPlainLoopback)) != nil
    }

    /// Gives the response, of whatever status.
    ///
    /// A request ends at once when its task is cancelled.
    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let transfer = try Transfer(request, configuration)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                transfers.start(transfer) { caller.resume(returning: $0) }
            }
        } onCancel: {
            transfers.cancel(transfer)
        }
        return try result.get()
    }

    /// Gives the response as soon as something of its body is there, and that as it comes, for as
    /// long as it does and is never silent for longer than `silence`.
    package func open(
        _ request: HTTPRequest,
        silence: Duration
    ) async throws(HTTPFailure) -> HTTPStream {
        let transfer = try Transfer(request, configuration, silence: silence)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let receiver = StreamReceiver {
                    caller.resume(returning: $0)
                } whenLeft: { [transfers] in
                    transfers.cancel(transfer)
                }
                transfer.receiver = receiver
                transfers.start(transfer) { receiver.end($0) }
            }
        } onCancel: {
            transfers.cancel(transfer)
        }
        return try result.get()
    }
}
