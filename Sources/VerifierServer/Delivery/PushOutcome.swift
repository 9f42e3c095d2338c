import BankIntegration

/// The result of one message to a push service.
enum PushOutcome: Equatable, Sendable {
    case sent
    /// The address of the device is not valid, or no longer valid.
    case unknownDevice
    /// The configuration does not allow this push service.
    case notAllowed
    case failed(SendResult.Failure, minimumWait: Duration = .zero)
    case postponed(by: Duration)
}
