import Cryptography
import OneTimePassword
import PrivateFiles
import Sealing
import Storage

// The translations of lower failures that are not a case of the higher failure.

extension Verifier.Failure {
    /// A stored secret without the right form was changed.
    init(_ failure: Secret.Failure) {
        if case .system(let failure) = failure {
            self = .machine(failure)
        } else {
            self = .sealedRecord(.notAuthentic)
        }
    }
}

extension LoadFailure {
    static func onThisMachine<Outcome: ~Copyable>(
        _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
    ) throws(LoadFailure) -> Outcome {
        do throws(CryptographyFailure) { return try body() } catch {
            throw .machine(SystemFailure(error))
        }
    }
}

extension RowFailure {
    init(_ failure: CryptographyFailure) {
        if case .malformedEncoding = failure {
            self = .refused(.secret)
        } else {
            self = .machine(SystemFailure(failure))
        }
    }

    init(_ failure: Secret.Failure) {
        self =
            switch failure {
            case .tooShort(let count): .refused(.secretTooShort(byteCount: count))
            case .tooLong: .refused(.secretTooLong)
            case .malformedText: .refused(.secret)
            case .system(let failure): .machine(failure)
            }
    }
}

extension Ledger {
    /// Without a hash there is no trail, so the store transaction is rolled back.
    static func onThisMachine<Outcome>(
        _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        do throws(CryptographyFailure) { return try body() } catch { throw .unavailable }
    }
}

extension AttemptContext {
    /// Without a verdict the store transaction is rolled back.
    static func onThisMachine<Outcome: ~Copyable>(
        _ body: @autoclosure () throws(SystemFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        do throws(SystemFailure) { return try body() } catch { throw .unavailable }
    }
}

extension Verifier {
    func onThisMachine<Outcome: ~Copyable>(
        _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
    ) throws(Failure) -> Outcome {
        do throws(CryptographyFailure) { return try body() } catch {
            throw .machine(SystemFailure(error))
        }
    }
}

func onThisMachine<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(JournalFailure) -> Outcome {
    do throws(CryptographyFailure) { return try body() } catch {
        throw .machine(SystemFailure(error))
    }
}
