package import OneTimePassword

/// The keys of one credential's typed codes: derived, and ready to go wherever codes are checked.
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

/// Makes and checks the codes of one credential that a person reads off the device and enters
/// elsewhere.
///
/// It is no `Sendable`, as `HOTP` is none.
package struct TypedCodes: ~Copyable {
    /// For codes over nothing but the counter.
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

    /// The code over what the bank wants signed.
    package func code(
        over data: [UInt8],
        in epoch: Epoch,
        at counter: Counter
    ) throws(SystemFailure) -> OneTimeCode {
        try ocra.code(for: try question(over: data, in: epoch), at: counter)
    }

    /// Verifies a code over `data`; counters below `counter` are used up and never looked at.
    package func verify(
        _ code: OneTimeCode,
        over data: [UInt8],
        in epoch: Epoch,
        from counter: Counter,
        lookAhead: LookAhead = .default
    ) throws(SystemFailure) -> CodeVerdict {
        let input = OCRA.Input(question: try question(over: data, in: epoch), counter: counter)
        do throws(OCRA.Failure) {
            return try ocra.verify(code, for: input, lookAhead: lookAhead)
        } catch {
            throw SystemFailure(error)
        }
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
