/// The factor that a credential needs.
package enum CredentialKind: String, CaseIterable, Codable, Sendable {
    /// Needs the PIN of the person.
    case user
    /// Needs only the device.
    case device
    /// Needs a key that the platform releases after it recognizes the person.
    case biometric
}

extension AuthenticationType {
    package var credentialKind: CredentialKind {
        switch self {
        case .consent: .device
        case .userPIN: .user
        case .biometric: .biometric
        }
    }
}
