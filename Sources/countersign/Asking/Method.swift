import AuthenticationHandler
import CommandLineTool

/// A way of proving who one is, as people call it.
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
