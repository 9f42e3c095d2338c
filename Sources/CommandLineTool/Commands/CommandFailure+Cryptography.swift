package import Cryptography

extension CommandFailure {
    package init(_ failure: SystemFailure) {
        let hint: String? =
            switch failure {
            case .secureMemoryUnavailable:
                localized(
                    "raise the limit that `ulimit -l` shows to 64 KiB or more",
                    german: "erhöhen Sie die Grenze von `ulimit -l` auf mindestens 64 KiB"
                )
            case .secureMemoryFull: nil
            case .cryptographyUnavailable:
                localized(
                    "the usual cause is too little memory",
                    german: "meist fehlt Arbeitsspeicher"
                )
            case .keyUnavailable:
                localized(
                    "check the HSM, and read the documents of its vendor",
                    german: "prüfen Sie das HSM, und lesen Sie die Unterlagen seines Herstellers"
                )
            case .keyBusy:
                localized(
                    "repeat the command in a second",
                    german: "wiederholen Sie den Befehl in einer Sekunde"
                )
            }
        self.init(failure.exitCode, failure.text, hint: hint)
    }
}

extension SystemFailure {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .secureMemoryUnavailable, .secureMemoryFull, .cryptographyUnavailable: .internalFailure
        case .keyUnavailable, .keyBusy: .tryLater
        }
    }
}
