import HTTPClient
import StrictJSON

/// An error of FCM: a `google.rpc.Status` with details.
///
/// Its texts are compared by their bytes: Swift compares and hashes long texts in a time that can
/// grow with the square of their length.
struct FCMError: Sendable {
    private let status: Int
    private var isUnregistered = false
    private var isInvalidArgument = false
    private var rejectsToken = false
    private var rejectsOtherMember = false

    private static let prefix = "type.googleapis.com/google."

    init(_ response: HTTPResponse) {
        status = response.status
        // A page of a proxy is not about the token.
        guard let value = try? JSONValue(reading: response.body, limits: .message) else { return }
        for detail in value["error"]?["details"]?.elements ?? [] {
            let type = detail["@type"]?.text ?? ""
            if type.hasBytes(of: Self.prefix + "firebase.fcm.v1.FcmError") {
                note(code: detail["errorCode"]?.text ?? "")
            } else if type.hasBytes(of: Self.prefix + "rpc.BadRequest") {
                for violation in detail["fieldViolations"]?.elements ?? [] {
                    if let field = violation["field"]?.text { note(rejected: field) }
                }
            }
        }
    }

    private mutating func note(code: String) {
        if code.hasBytes(of: "UNREGISTERED") { isUnregistered = true }
        if code.hasBytes(of: "INVALID_ARGUMENT") { isInvalidArgument = true }
    }

    /// Notes a member of the request that FCM rejected.
    private mutating func note(rejected field: String) {
        if field.hasBytes(of: "message.token") {
            rejectsToken = true
        } else {
            rejectsOtherMember = true
        }
    }

    /// True if the token itself is permanently invalid.
    ///
    /// A 404 without FCM's code may be a misspelt project, and a 400 about another member is our
    /// error: neither may disable a device's pushes.
    var isOfToken: Bool {
        switch status {
        case 404: isUnregistered
        case 400: isInvalidArgument && rejectsToken && !rejectsOtherMember
        default: false
        }
    }
}
