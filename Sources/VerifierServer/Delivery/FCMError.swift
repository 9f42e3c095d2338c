import HTTPClient
import StrictJSON

/// What FCM says of a message that it does not send: a `google.rpc.Status`, with details.
struct FCMError: Sendable {
    private let status: Int
    /// Those of FCM itself.
    private var codes: Set<String> = []
    /// Which members of the request it did not take.
    private var fields: Set<String> = []

    private static let prefix = "type.googleapis.com/google."

    init(_ response: HTTPResponse) {
        status = response.status
        // A proxy's page is no such error, and says nothing of the token.
        guard let value = try? JSONValue(reading: response.body, limits: .message) else { return }
        for detail in value["error"]?["details"]?.elements ?? [] {
            switch detail["@type"]?.text {
            case Self.prefix + "firebase.fcm.v1.FcmError":
                if let code = detail["errorCode"]?.text { codes.insert(code) }
            case Self.prefix + "rpc.BadRequest":
                for violation in detail["fieldViolations"]?.elements ?? [] {
                    if let field = violation["field"]?.text { fields.insert(field) }
                }
            default: break
            }
        }
    }

    /// Whether the token is what was wrong, and will be tomorrow.
    ///
    /// A 404 without FCM's own word may be a project that is misspelt, and a 400 that names another
    /// member, or none, is ours: neither may end anybody's notifications.
    var isOfToken: Bool {
        switch status {
        case 404: codes.contains("UNREGISTERED")
        case 400: codes.contains("INVALID_ARGUMENT") && fields == ["message.token"]
        default: false
        }
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
