import AuthenticationHandler
import CommandLineTool

/// The name of an authentication type on the command line.
enum Method: String, CaseIterable, ArgumentValue {
    case pin, biometric, consent

    init(_ type: AuthenticationType) {
        self =
            switch type {
            case .userPIN: .pin
            case .biometric: .biometric
            case .consent: .consent
            }
    }

    var type: AuthenticationType {
        switch self {
        case .pin: .userPIN
        case .biometric: .biometric
        case .consent: .consent
        }
    }
}

/// `--with`.
@propertyWrapper
struct MethodOption: Sendable {
    @Option(
        "with",
        help: localized(
            "The authentication method, if there are several.",
            german: "Die Art der Bestätigung, falls es mehrere gibt."
        )
    )
    var wrappedValue: Method?

    init() {}
}
