package import Cryptography

extension CommandFailure {
    package init(_ failure: SystemFailure) {
        let hint: String? =
            switch failure {
            case .secureMemoryUnavailable:
                "raise the limit that `ulimit -l` shows to 64 KiB or more"
            case .secureMemoryFull: nil
            case .cryptographyUnavailable: "the usual cause is too little memory"
            }
        self.init(.internalFailure, failure.text, hint: hint)
    }
}
