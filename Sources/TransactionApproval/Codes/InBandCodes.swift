package import OneTimePassword

/// Makes and checks the codes that one credential's device sends to the device API.
///
/// It may go wherever codes are checked: what OpenSSL makes of the key lives for one code.
package struct InBandCodes: Sendable {
    package let credential: CredentialContext
    private let secret: Secret
    /// What was prepared before a code was asked for.
    private var expected: ExpectedQuestion?

    package init(
        of credential: CredentialContext,
        seed: borrowing CredentialSeed
    ) throws(SystemFailure) {
        secret = try seed.codeSecret(.ocraKey, of: credential)
        self.credential = credential
    }

    /// Prepares for a code over this question; no code is computed yet.
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

    /// Whether `code` is the one of exactly this counter; that it counts once is the caller's rule.
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
