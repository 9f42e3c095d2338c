import Cryptography
import OneTimePassword

extension CredentialSeed {
    borrowing func codeSecret(
        _ use: Label,
        of credential: CredentialContext
    ) throws(SystemFailure) -> Secret {
        do throws(CryptographyFailure) {
            return Secret(derived: try subkey(use, of: credential))
        } catch {
            throw SystemFailure(error)
        }
    }
}

extension FieldWriter {
    func ocraQuestion() throws(SystemFailure) -> OCRAQuestion {
        do throws(CryptographyFailure) {
            return OCRAQuestion(try sha256().withBytes { TextEncoding.hexadecimal.encode($0) })
        } catch {
            throw SystemFailure(error)
        }
    }
}

extension OCRA {
    func code(
        for question: OCRAQuestion,
        at counter: Counter
    ) throws(SystemFailure) -> OneTimeCode {
        do throws(Failure) {
            return try code(for: Input(question: question, counter: counter))
        } catch {
            throw SystemFailure(error)
        }
    }
}

extension SystemFailure {
    /// The suites accept a counter and a hexadecimal digest, so only OpenSSL can fail.
    init(_ failure: OCRA.Failure) {
        guard case .machine(let failure) = failure else {
            preconditionFailure("A question that its suite does not take.")
        }
        self = failure
    }
}
