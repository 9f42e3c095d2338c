package import Cryptography

extension CommandFailure {
    package static let secureMemoryUnavailable = CommandFailure(
        .internalFailure,
        "cannot lock memory for secrets",
        hint: "raise the limit that `ulimit -l` shows to 64 KiB or more"
    )
    package static let secureMemoryFull = CommandFailure(
        .internalFailure,
        "all memory for secrets is in use"
    )
    package static func cryptographyUnavailable(_ operation: String) -> CommandFailure {
        CommandFailure(.internalFailure, "\(operation) failed")
            .suggesting("the usual cause is too little memory")
    }

    package init(_ failure: CryptographyFailure) {
        self =
            switch failure {
            case .secureHeap(.full): .secureMemoryFull
            case .secureHeap: .secureMemoryUnavailable
            case .library(let operation, _): .cryptographyUnavailable(operation)
            default: .cryptographyUnavailable("Cryptography")
            }
    }
}

/// Translates the failures of locked memory and of OpenSSL.
package func onThisMachine<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(CommandFailure) -> Outcome {
    try translating(try body(), to: CommandFailure.init(_:))
}
