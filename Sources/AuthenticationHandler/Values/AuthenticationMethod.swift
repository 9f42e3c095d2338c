import TransactionApproval

/// How a person authenticates one operation.
///
/// The operation consumes it, with the PIN in it.
public enum AuthenticationMethod: ~Copyable, Sendable {
    /// The device alone, if the transaction accepts the person's consent.
    case consent
    case pin(PIN)
    /// A key that the device releases after it recognises the person.
    case biometrics

    public var type: AuthenticationType {
        borrowing get {
            switch self {
            case .consent: .consent
            case .pin: .userPIN
            case .biometrics: .biometric
            }
        }
    }
}
