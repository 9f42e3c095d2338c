/// Who has to give what for a code of a credential.
package enum CredentialKind: String, CaseIterable, Codable, Sendable {
    /// The person's PIN.
    case user
    /// The device alone.
    case device
    /// A key that the platform releases to the person's body.
    case biometric
}
