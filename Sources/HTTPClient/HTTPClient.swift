/// Sends requests only to verified servers.
///
/// A server needs TLS 1.2 or later with forward secrecy, a trusted certificate for its name, and a
/// pinned key if pins are configured. The client follows no redirects, keeps no cookies, never
/// sends a rejected request again with a password, and decompresses nothing. Connections stay open
/// for later requests until the last copy of the client is released. If a server closes such a
/// connection before its first response byte, libcurl sends the request again on a new connection.
/// So a server may receive a request twice.
package struct HTTPClient: Sendable {
    private let configuration: Configuration
    private let transfers: TransferQueue

    package init(_ configuration: Configuration) throws(HTTPFailure) {
        self.configuration = configuration
        transfers = try TransferQueue()
    }

    /// Returns whether the client can send requests to `url`, even if no server runs there.
    package func takes(_ url: String) -> Bool {
        let request = HTTPRequest(.get, url)
        // The reason matters only when a request is sent.
        return (try? request.scheme(allowsPlainLoopback: configuration.allowsPlainLoopback)) != nil
    }

    /// Returns whether both URLs have the same scheme, host and port.
    package func isSameOrigin(_ first: String, _ second: String) -> Bool {
        guard takes(first), takes(second), let origin = URLOrigin(first) else { return false }
        return origin == URLOrigin(second)
    }

    /// Returns the response, whatever its status.
    ///
    /// A cancelled task ends its request at once.
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

    /// Returns the response at the first byte of its body, and then the body as it arrives.
    ///
    /// The stream ends if no byte arrives within `silence`.
    package func open(
        _ request: HTTPRequest,
        silence: Duration
    ) async throws(HTTPFailure) -> HTTPStream {
        let transfer = try Transfer(request, configuration, silence: silence)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let receiver = StreamReceiver {
                    caller.resume(returning: $0)
                } whenRead: { [transfers, weak transfer] in
                    // It holds its receiver, and so this closure.
                    if let transfer { transfers.resume(transfer) }
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
