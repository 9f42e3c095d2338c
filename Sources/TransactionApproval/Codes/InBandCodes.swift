package import OneTimePassword

/// Makes and checks the codes that one credential's device sends to the device API.
///
/// It is no `Sendable`, as `OCRA` is none.
package struct InBandCodes: ~Copyable {
    private let credential: CredentialContext
    private let ocra: OCRA

    package init(
        of credential: CredentialContext,
        seed: borrowing CredentialSeed
    ) throws(MachineFailure) {
        ocra = try OCRA(.inBand, of: credential, seed: seed)
        self.credential = credential
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
