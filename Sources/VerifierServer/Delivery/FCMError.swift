import HTTPClient
import StrictJSON

/// An error of FCM: a `google.rpc.Status` with details.
struct FCMError: Sendable {
    private let status: Int
    /// The error codes of FCM.
    private var codes: Set<String> = []
    /// The members of the request that FCM rejected.
    private var fields: Set<String> = []

    private static let prefix = "type.googleapis.com/google."

    init(_ response: HTTPResponse) {
        status = response.status
        // A page of a proxy is not about the token.
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

    /// True if the token itself is permanently invalid.
    ///
    /// A 404 without FCM's code may be a misspelt project, and a 400 about another member is our
    /// error: neither may disable a device's pushes.
    var isOfToken: Bool {
        switch status {
        case 404: codes.contains("UNREGISTERED")
        case 400: codes.contains("INVALID_ARGUMENT") && fields == ["message.token"]
        default: false
        }
    }
}
