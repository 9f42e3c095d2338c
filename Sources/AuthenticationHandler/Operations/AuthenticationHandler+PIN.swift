import Cryptography
public import OneTimePassword
import TransactionApproval

extension AuthenticationHandler {
    /// Logs in to the bank with the PIN, over what its backend wants signed.
    ///
    /// What it gives is for the backend, which redeems it once, within two minutes, with the same
    /// data.
    public func verifyPIN(
        _ pin: consuming PIN,
        signing data: [UInt8] = [],
        for account: Account? = nil
    ) async throws(AuthenticationError) -> String {
        try await settle()
        let device = try activeAccount(account).record.device
        return try await logIn(over: data, by: .userPIN, of: device, with: .pin(pin))
    }

    func logIn(
        over data: [UInt8],
        by type: AuthenticationType,
        of device: DeviceID,
        with factor: consuming Factor
    ) async throws(AuthenticationError) -> String {
        let digest = try AuthenticationError.onThisMachine { () throws(CryptographyFailure) in
            try HashAlgorithm.sha256.digest(of: data.span)
        }
        let answer = try await ask(
            LoginExchange.self,
            over: .login(digest),
            of: device,
            with: factor
        ) { envelope, _ throws(AuthenticationError) in
            LoginExchange.Request(dataDigest: digest, type: type, envelope: envelope)
        }
        return answer.login.text
    }

    /// A code to read out or to type elsewhere, made without a network; over `data` where there is
    /// something to sign.
    ///
    /// Nothing here can tell a wrong PIN from the right one: it gives a code that is wrong. Only
    /// where it is not known which PIN is good, after a change of it that was not answered, the
    /// network is needed to find out.
    public func generateOTP(
        for account: Account? = nil,
        using pin: consuming PIN,
        signing data: [UInt8]? = nil
    ) async throws(AuthenticationError) -> OneTimeCode {
        guard data?.isEmpty != true else { throw AuthenticationError(.signingDataMissing) }
        let account = try await settled(activeAccount(account))
        let seed = try await seed(of: account, .pin(pin))
        let taken = try await takeCounter(.user, of: account)
        do throws(SystemFailure) {
            let codes = try TypedCodes(of: taken.context, seed: seed)
            guard let data else { return codes.hotp.code(at: taken.counter) }
            return try codes.code(over: data, in: taken.epoch, at: taken.counter)
        } catch {
            throw AuthenticationError(machine: error)
        }
    }

    /// The account, once it is known which of its PINs is good: the codes of the other one count as
    /// wrong.
    private func settled(
        _ account: OpenAccount
    ) async throws(AuthenticationError) -> OpenAccount {
        guard account.record.isUnsettled else { return account }
        try await settle()
        let account = try self.account(account.record.device)
        guard !account.record.isUnsettled else {
            throw AuthenticationError(.networkUnavailable, cause: "to ask which PIN is good")
        }
        return account
    }

    /// Whether there is an account, and so a PIN.
    public var isPINSetUp: Bool {
        get throws(AuthenticationError) { try !activeAccounts().isEmpty }
    }

    /// Asks the verifier whether the PIN of an account is this one; a wrong one counts.
    func checkPIN(
        _ pin: borrowing PIN,
        of account: OpenAccount
    ) async throws(AuthenticationError) {
        let factor = Factor.pin(try pin.copy())
        _ = try await ask(
            PINCheckExchange.self,
            over: .pinCheck,
            of: account.record.device,
            with: factor
        ) { envelope, _ throws(AuthenticationError) in PINCheckExchange.Request(envelope: envelope)
        }
    }
}

extension PIN {
    /// For an operation that asks about the PIN before it uses it.
    borrowing func copy() throws(AuthenticationError) -> PIN {
        try digits.withBytes { digits throws(AuthenticationError) in try PIN(copying: digits) }
    }
}
