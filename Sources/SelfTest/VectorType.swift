import Cryptography
import JOSE
import OneTimePassword
import OneTimePasswordFormats

/// A kind of test vector: its fields, and the computation of its results.
struct VectorType: Sendable {
    let name: String
    let inputs: [VectorField]
    let results: [VectorField]
    /// Returns the results; throws if the input is refused.
    let compute: @Sendable (VectorCase) async throws -> [String: VectorCase.Value]

    func outcome(of row: VectorCase) async throws(SystemFailure) -> VectorCase.Outcome {
        do {
            return .accepted(try await compute(row))
        } catch {
            if let failure = SystemFailure(of: error) { throw failure }
            return .refused
        }
    }

    /// The types of the files in the program; tests add the types of the device protocol.
    static let builtIn = [
        hotp, totp, ocra, ocraSuite, otpauth, pskc, hmac, hkdf, argon2id, base32,
        contentDigest, messageSignature, transaction, aesCBCHMAC, ecdhES, jwe, jws,
        emvChannel,
    ]
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
        case JOSEFailure.system(let failure): self = failure
        case let failure as CryptographyFailure: self.init(cause: failure)
        default: return nil
        }
    }
}
