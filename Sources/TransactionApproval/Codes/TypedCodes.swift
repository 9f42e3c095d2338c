import Cryptography
import FailureTranslation
package import OneTimePassword

/// The derived keys of a credential's typed codes.
package struct TypedKeys: Sendable {
    package let credential: CredentialContext
    fileprivate let hotpSecret: Secret
    fileprivate let ocraSecret: Secret

    package init(
        of credential: CredentialContext,
        seed: borrowing CredentialSeed
    ) throws(SystemFailure) {
        hotpSecret = try seed.codeSecret(.hotpKey, of: credential)
        ocraSecret = try seed.codeSecret(.ocraKey, of: credential)
        self.credential = credential
    }
}

/// Computes and verifies the typed codes of one credential.
///
/// Not `Sendable`, because `HOTP` is not.
package struct TypedCodes: ~Copyable {
    /// For codes without data.
    package let hotp: HOTP
    package let credential: CredentialContext
    private let ocra: OCRA

    package init(_ keys: TypedKeys) throws(SystemFailure) {
        let ocra = try OCRA(suite: CodeSuite.typed.ocraSuite, secret: keys.ocraSecret)
        let hotp = try HOTP(secret: keys.hotpSecret, digits: .eight, algorithm: .sha256)
        self.ocra = ocra
        self.hotp = hotp
        credential = keys.credential
    }

    package init(
        of credential: CredentialContext,
        seed: borrowing CredentialSeed
    ) throws(SystemFailure) {
        try self.init(TypedKeys(of: credential, seed: seed))
    }

    package func code(
        over data: [UInt8],
        in epoch: Epoch,
        at counter: Counter
    ) throws(SystemFailure) -> OneTimeCode {
        try ocra.code(for: try question(over: data, in: epoch), at: counter)
    }

    /// Verifies a code over `data`, from `counter` on.
    package func verify(
        _ code: OneTimeCode,
        over data: [UInt8],
        in epoch: Epoch,
        from counter: Counter,
        lookAhead: LookAhead = .default
    ) throws(SystemFailure) -> CodeVerdict {
        let input = OCRA.Input(question: try question(over: data, in: epoch), counter: counter)
        return try translating(
            ocra.verify(code, for: input, lookAhead: lookAhead),
            to: SystemFailure.init(ocra:)
        )
    }

    private func question(
        over data: [UInt8],
        in epoch: Epoch
    ) throws(SystemFailure) -> OCRAQuestion {
        var message = FieldWriter(.typedData)
        message.append(credential)
        message.append(epoch)
        message.append(data)
        return try message.ocraQuestion()
    }
}
