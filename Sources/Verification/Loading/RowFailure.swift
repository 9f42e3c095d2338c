import Cryptography
import OneTimePassword

/// A row that is skipped, or a system failure that ends the load.
enum RowFailure: Error {
    case refused(RowRefusal)
    case system(SystemFailure)

    init(decoding failure: CryptographyFailure) {
        if case .malformedEncoding = failure {
            self = .refused(.secret)
        } else {
            self = .system(SystemFailure(failure))
        }
    }

    init(secret failure: Secret.Failure) {
        self =
            switch failure {
            case .tooShort(let count): .refused(.secretTooShort(byteCount: count))
            case .tooLong: .refused(.secretTooLong)
            case .malformedText: .refused(.secret)
            case .system(let failure): .system(failure)
            }
    }
}
