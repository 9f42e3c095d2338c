import TransactionApproval
import Verification

/// What a command asks of the bank's API, whichever way leads there.
struct APIRequest: Sendable {
    enum Method: String {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    let method: Method
    /// The path, with its query where it has one.
    let target: String
    /// What a person calls the thing, should there be none.
    let subject: String
    /// What to do then.
    let remedy: String?
    /// JSON; nil where there is nothing to say.
    let content: [UInt8]?
    /// By which it can be asked again, and is done once.
    let key: IdempotencyKey?

    init(
        _ method: Method,
        _ target: String,
        of subject: String,
        remedy: String? = nil,
        content: [UInt8]? = nil,
        key: IdempotencyKey? = nil
    ) {
        self.method = method
        self.target = target
        self.subject = subject
        self.remedy = remedy
        self.content = content
        self.key = key
    }

    /// The lines that its header has, wherever it is sent.
    var header: [(name: String, value: String)] {
        [
            content.map { _ in ("content-type", "application/json") },
            key.map { ("idempotency-key", $0.text) },
        ].compactMap { $0 }
    }
}

extension EnterpriseID {
    static let allPath = "/bank/v1/enterprises"

    var path: String { "\(Self.allPath)/\(self)" }
}

extension AccountReference {
    /// Names need no escapes.
    var path: String { "\(enterprise.path)/accounts/\(key.type)/\(key.id)" }

    func path(of device: DeviceID) -> String { "\(path)/devices/\(device)" }

    func path(of kind: CredentialKind, on device: DeviceID) -> String {
        "\(path(of: device))/credentials/\(kind.rawValue)"
    }

    func path(of activation: ActivationID) -> String { "\(path)/activations/\(activation)" }

    func path(of transaction: TransactionID) -> String { "\(path)/transactions/\(transaction)" }
}
