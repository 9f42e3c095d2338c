import Cryptography
import FailureTranslation
import OneTimePassword

extension CredentialSeed {
    borrowing func codeSecret(
        _ use: Label,
        of credential: CredentialContext
    ) throws(SystemFailure) -> Secret {
        Secret(derived: try translating(subkey(use, of: credential), to: SystemFailure.init(_:)))
    }
}

extension FieldWriter {
    func ocraQuestion() throws(SystemFailure) -> OCRAQuestion {
        let digest = try translating(sha256(), to: SystemFailure.init(_:))
        return OCRAQuestion(digest.withBytes { TextEncoding.hexadecimal.encode($0) })
    }
}

extension OCRA {
    func code(
        for question: OCRAQuestion,
        at counter: Counter
    ) throws(SystemFailure) -> OneTimeCode {
        try translating(
            code(for: Input(question: question, counter: counter)),
            to: SystemFailure.init(ocra:)
        )
    }
}

extension SystemFailure {
    /// The suites accept a counter and a hexadecimal digest, so only OpenSSL can fail.
    init(ocra failure: OCRA.Failure) {
        guard case .system(let failure) = failure else {
            preconditionFailure("A question that its suite does not take.")
        }
        self = failure
    }
}
