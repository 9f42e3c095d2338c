package import Cryptography

/// What the machine would not give, whatever was asked of it.
public enum SystemFailure: Error, Equatable, Sendable {
    /// Memory for secrets cannot be locked.
    case secureMemoryUnavailable
    /// All memory for secrets is in use.
    case secureMemoryFull
    /// OpenSSL or libargon2 refused an operation, usually for want of memory.
    case cryptographyUnavailable(operation: String)

    package init(_ failure: CryptographyFailure) {
        self =
            switch failure {
            case .secureHeap(.full): .secureMemoryFull
            case .secureHeap: .secureMemoryUnavailable
            case .library(let operation, _): .cryptographyUnavailable(operation: operation)
            default: .cryptographyUnavailable(operation: "Cryptography")
            }
    }
}
