package import OneTimePassword

extension CommandFailure {
    package init(_ failure: SystemFailure) {
        switch failure {
        case .secureMemoryUnavailable:
            self.init(
                .internalFailure,
                "memory for secrets cannot be locked",
                hint: "raise the limit that `ulimit -l` shows to 64 KiB or more"
            )
        case .secureMemoryFull:
            self.init(.internalFailure, "all memory for secrets is in use")
        case .cryptographyUnavailable(let operation):
            self.init(
                .internalFailure,
                "\(operation) failed",
                hint: "usually there is too little memory"
            )
        }
    }
}
