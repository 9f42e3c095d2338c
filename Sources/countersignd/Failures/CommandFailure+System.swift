import CommandLineTool
import OneTimePassword

extension CommandFailure {
    init(_ failure: SystemFailure) {
        self =
            switch failure {
            case .secureMemoryUnavailable: .secureMemoryUnavailable
            case .secureMemoryFull: .secureMemoryFull
            case .cryptographyUnavailable(let operation): .cryptographyUnavailable(operation)
            }
    }
}
