import CommandLineTool
import OneTimePassword

/// Until each command declares its parameters as properties; see `CommandLineTool.Command`.
typealias Command = ListedCommand

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
