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
            }
        self.init(.internalFailure, failure.text, hint: hint)
    }
}
