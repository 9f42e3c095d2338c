/// A way to approve.
public enum AuthenticationType: String, CaseIterable, Sendable {
    /// One factor; never strong customer authentication.
    case consent
    case userPIN
    case biometric
}

extension AuthenticationTypes {
    package init(_ type: AuthenticationType) {
        self =
            switch type {
            case .consent: .consent
            case .userPIN: .userPIN
            case .biometric: .biometric
            }
    }

    package func contains(_ type: AuthenticationType) -> Bool {
        contains(AuthenticationTypes(type))
    }
}
