import Cryptography
import OneTimePassword
import OneTimePasswordFormats

/// A kind of test vector: its fields, and the computation of its results.
package struct VectorType: Sendable {
    let name: String
    let inputs: [VectorField]
    let results: [VectorField]
    private let compute: @Sendable (VectorCase) async throws -> [String: VectorCase.Value]

    /// - Parameter compute: returns the results, and throws if the input is refused. It throws a
    ///   failure of the machine as `SystemFailure` or `CryptographyFailure`.
    package init(
        name: String,
        inputs: [VectorField],
        results: [VectorField],
        compute: @escaping @Sendable (VectorCase) async throws -> [String: VectorCase.Value]
    ) {
        self.name = name
        self.inputs = inputs
        self.results = results
        self.compute = compute
    }

    func outcome(of row: VectorCase) async throws(SystemFailure) -> VectorCase.Outcome {
        do {
            return .accepted(try await compute(row))
        } catch {
            if let failure = SystemFailure(of: error) { throw failure }
            return .refused
        }
    }
}

extension SystemFailure {
    /// The failure of the machine; nil if the input is invalid.
    fileprivate init?(of error: any Error) {
        switch error {
        case let failure as SystemFailure: self = failure
        case Secret.Failure.system(let failure): self = failure
        case TOTP.Failure.system(let failure): self = failure
        case OCRA.Failure.system(let failure): self = failure
        case OTPAuthURI.Failure.system(let failure): self = failure
        case PSKCDocument.ReadingFailure.system(let failure): self = failure
        case let failure as CryptographyFailure: self.init(cause: failure)
        default: return nil
        }
    }
}
