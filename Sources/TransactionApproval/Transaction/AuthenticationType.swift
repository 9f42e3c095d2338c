/// A way to approve.
public enum AuthenticationType: String, CaseIterable, Codable, Sendable {
    /// One factor; never strong customer authentication.
    case consent
    case userPIN
    case biometric

    package var credentialKind: CredentialKind {
        switch self {
        case .consent: .device
        case .userPIN: .user
        case .biometric: .biometric
        }
    }
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
