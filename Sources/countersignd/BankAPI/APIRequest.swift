import TransactionApproval

/// A request to the bank's API, in process or over the network.
struct APIRequest: Sendable {
    enum Method: String {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    /// A name for a request: a repeated request with the same key has effect only once.
    struct IdempotencyKey: TextIdentifier {
        let text: String

        init(checked text: String) {
            self.text = text
        }
    }

    let method: Method
    /// The path and the query.
    let target: String
    /// The resource, as the message for a missing one names it.
    let subject: String
    /// The hint for a missing resource.
    let hint: String?
    /// JSON.
    let body: [UInt8]?
    let key: IdempotencyKey?

    init(
        _ method: Method,
        _ target: String,
        of subject: String,
        hint: String? = nil,
        body: [UInt8]? = nil,
        key: IdempotencyKey? = nil
    ) {
        self.method = method
        self.target = target
        self.subject = subject
        self.hint = hint
        self.body = body
        self.key = key
    }

    var header: [(name: String, value: String)] {
        [
            body.map { _ in ("content-type", "application/json") },
            key.map { ("idempotency-key", $0.text) },
        ].compactMap { $0 }
    }
}

struct APIResponse: Sendable {
    let status: Int
    let body: [UInt8]

    static let releaseHint = "use the countersignd of the same release as the verifier"
}
