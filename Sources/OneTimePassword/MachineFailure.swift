import Cryptography

/// What the machine would not give, whatever was asked of it.
public enum MachineFailure: Error, Equatable, Sendable {
    /// Memory for secrets cannot be locked, or all of it is in use.
    case secureMemoryUnavailable
    /// OpenSSL refused an operation.
    case cryptographyUnavailable(operation: String)

    init(_ failure: CryptographyFailure) {
        self =
            switch failure {
            case .secureHeap: .secureMemoryUnavailable
            case .library(let operation, _): .cryptographyUnavailable(operation: operation)
            default: .cryptographyUnavailable(operation: "Cryptography")
            }
    }
}
