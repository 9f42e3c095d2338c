import FailureTranslation

/// A failure of the machine, independent of the input.
public enum SystemFailure: Error, Equatable, Sendable {
    /// The kernel does not lock memory for secrets.
    case secureMemoryUnavailable
    /// All memory for secrets is in use.
    case secureMemoryFull
    /// An operation failed, usually because OpenSSL or libargon2 had no memory left.
    ///
    /// After a wrong argument of this package, it is a name like "Cryptography.invalidArgument".
    case cryptographyUnavailable(operation: String)
    /// An HSM cannot use a key.
    case keyUnavailable(reason: String)
    /// Too many calls wait for an HSM; the operation did not begin.
    case keyBusy

    package init(_ failure: CryptographyFailure) {
        self =
            Self(cause: failure) ?? .cryptographyUnavailable(operation: "Cryptography.\(failure)")
    }

    /// Nil if the input caused the failure.
    package init?(cause failure: CryptographyFailure) {
        switch failure {
        case .secureHeap(.full): self = .secureMemoryFull
        case .secureHeap: self = .secureMemoryUnavailable
        case .library(let operation, _): self = .cryptographyUnavailable(operation: operation)
        case .keyUnavailable(let reason): self = .keyUnavailable(reason: reason)
        case .keyBusy: self = .keyBusy
        default: return nil
        }
    }

    /// The failure in messages.
    package var text: String {
        switch self {
        case .secureMemoryUnavailable: "cannot lock memory for secrets"
        case .secureMemoryFull: "all memory for secrets is in use"
        case .cryptographyUnavailable(let operation): "\(operation) failed"
        case .keyUnavailable(let reason): reason
        case .keyBusy: "too many calls wait for the HSM"
        }
    }
}

/// Translates a failure that the input does not cause.
package func translatingSystemFailure<Outcome: ~Copyable, Translated: Error>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome,
    to make: (SystemFailure) -> Translated
) throws(Translated) -> Outcome {
    try translating(body()) { (failure: CryptographyFailure) in make(SystemFailure(failure)) }
}
