package import Cryptography

/// A failure of the machine, independent of the input.
public enum SystemFailure: Error, Equatable, Sendable {
    /// The kernel does not lock memory for secrets.
    case secureMemoryUnavailable
    /// All memory for secrets is in use.
    case secureMemoryFull
    /// OpenSSL or libargon2 failed, usually because memory ran out.
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
