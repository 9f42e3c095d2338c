import Cryptography
package import OneTimePassword

/// Computes and verifies the in-band codes of one credential.
///
/// It is `Sendable`, because OpenSSL's key context lives for one code only.
package struct InBandCodes: Sendable {
    package let credential: CredentialContext
    private let secret: Secret
    /// Computed ahead of time.
    private var expected: ExpectedQuestion?

    package init(
        of credential: CredentialContext,
        seed: borrowing CredentialSeed
    ) throws(SystemFailure) {
        secret = try seed.codeSecret(.ocraKey, of: credential)
        self.credential = credential
    }

    /// Hashes the question ahead of time; computes no code.
    package mutating func expect(
        _ question: InBandQuestion,
        in epoch: Epoch
    ) throws(SystemFailure) {
        let hashed = try question.ocraQuestion(for: credential, in: epoch)
        expected = ExpectedQuestion(question: question, epoch: epoch, hashed: hashed)
    }

    package func code(
        for question: InBandQuestion,
        in epoch: Epoch,
        at counter: Counter
    ) throws(SystemFailure) -> OneTimeCode {
        let ocra = try OCRA(suite: CodeSuite.inBand.ocraSuite, secret: secret)
        return try ocra.code(for: try hashed(question, in: epoch), at: counter)
    }

    /// Compares with the code of exactly this counter.
    ///
    /// The caller ensures that it is used once.
    package func matches(
        _ code: OneTimeCode,
        _ question: InBandQuestion,
        in epoch: Epoch,
        at counter: Counter
    ) throws(SystemFailure) -> Bool {
        try self.code(for: question, in: epoch, at: counter) == code
    }

    private func hashed(
        _ question: InBandQuestion,
        in epoch: Epoch
    ) throws(SystemFailure) -> OCRAQuestion {
        if let expected, expected.question == question, expected.epoch == epoch {
            return expected.hashed
        }
        return try question.ocraQuestion(for: credential, in: epoch)
    }
}

private struct ExpectedQuestion: Sendable {
    let question: InBandQuestion
    let epoch: Epoch
    let hashed: OCRAQuestion
}
