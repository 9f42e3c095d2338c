package import OneTimePassword

/// The key of one credential's codes in band: derived, and ready to go wherever codes are checked.
package struct InBandKey: Sendable {
    package let credential: CredentialContext
    fileprivate let secret: Secret

    package init(
        of credential: CredentialContext,
        seed: borrowing CredentialSeed
    ) throws(MachineFailure) {
        secret = try seed.codeSecret(.ocraKey, of: credential)
        self.credential = credential
    }
}

/// Makes and checks the codes that one credential's device sends to the device API.
///
/// It is no `Sendable`, as `OCRA` is none.
package struct InBandCodes: ~Copyable {
    package let credential: CredentialContext
    private let ocra: OCRA

    package init(_ key: InBandKey) throws(MachineFailure) {
        ocra = try OCRA(suite: CodeSuite.inBand.ocraSuite, secret: key.secret)
        credential = key.credential
    }

    package init(
        of credential: CredentialContext,
        seed: borrowing CredentialSeed
    ) throws(MachineFailure) {
        try self.init(InBandKey(of: credential, seed: seed))
    }

    package func code(
        for question: InBandQuestion,
        in epoch: Epoch,
        at counter: Counter
    ) throws(MachineFailure) -> OneTimeCode {
        try ocra.code(for: try question.ocraQuestion(for: credential, in: epoch), at: counter)
    }

    /// Whether `code` is the one of exactly this counter; that it counts once is the caller's rule.
    package func matches(
        _ code: OneTimeCode,
        _ question: InBandQuestion,
        in epoch: Epoch,
        at counter: Counter
    ) throws(MachineFailure) -> Bool {
        try self.code(for: question, in: epoch, at: counter) == code
    }
}
