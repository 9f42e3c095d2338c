import Cryptography
import HTTPServer
import OneTimePassword
import TransactionApproval
import Verification
import VerifierServer
import VerifierWorld

extension Phone {
    /// A request of this device, or with another key or device id.
    func request<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ content: Exchange.Request,
        at moment: Timestamp,
        nonce: RequestNonce? = nil,
        naming device: DeviceID? = nil,
        signingWith other: P256.PrivateKey? = nil
    ) throws -> SignedRequest {
        try signed(
            exchange.message(content, to: ServedBank.origin.unwrapped()),
            at: moment,
            nonce: nonce,
            naming: device,
            with: other
        )
    }

    func signed(
        _ message: RequestMessage,
        at moment: Timestamp,
        nonce: RequestNonce? = nil,
        naming device: DeviceID? = nil,
        with other: P256.PrivateKey? = nil
    ) throws -> SignedRequest {
        let parameters = DeviceSignatureParameters(
            deviceID: device ?? id,
            created: moment,
            nonce: try nonce ?? .random()
        )
        return try SignedRequest(message, parameters: parameters, signedWith: other ?? key)
    }

    /// The signed response to this device.
    func call<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ content: Exchange.Request,
        of server: ServedBank,
        by api: DeviceAPI? = nil
    ) async throws -> Outcome<Exchange.Response> {
        let request = try request(exchange, content, at: server.bank.clock.now)
        let sent = try Request(request)
        let response = await (api ?? server.api).respond(to: sent)
        if case .bytes = response.body {
            Exchanges.current?.note(sent, try await CompleteResponse(response))
        }
        let authentic = try response.authentic(to: request, from: server.trusted).unwrapped()
        return try exchange.outcome(of: authentic.message).unwrapped()
    }
}

extension Outcome {
    var problem: Problem? {
        if case .refused(let problem) = self { problem } else { nil }
    }

    var response: Response? {
        if case .done(let response) = self { response } else { nil }
    }
}

// MARK: Actions of a person

extension Phone {
    func decision(
        _ choice: DecisionExchange.Choice = .approve(.userPIN),
        on transaction: Transaction,
        over shown: Transaction? = nil,
        with pin: PIN = .right,
        number: TypedNumber? = nil,
        attempt: AttemptID? = nil,
        in bank: Bank
    ) async throws -> DecisionExchange.Request {
        let hash = try TransactionHash(of: shown ?? transaction)
        let envelope = try await self.attempt(
            choice.credentialKind,
            over: .decision(hash, choice.decision, number),
            with: pin,
            id: attempt,
            in: bank
        ).code
        return try decision(choice, on: transaction, over: hash, envelope)
    }

    func decision(
        _ choice: DecisionExchange.Choice = .approve(.userPIN),
        on transaction: Transaction,
        over hash: TransactionHash? = nil,
        _ envelope: CodeEnvelope
    ) throws -> DecisionExchange.Request {
        let hash = try hash ?? TransactionHash(of: transaction)
        let evidence = DecisionEvidence(of: choice, on: hash, by: id, envelope)
        return DecisionExchange.Request(
            transaction: transaction.id,
            choice: choice,
            evidence: try evidence.signature(by: key),
            envelope: envelope
        )
    }

    func pinCheck(
        with pin: PIN = .right,
        at counter: Counter? = nil,
        attempt: AttemptID? = nil,
        in bank: Bank
    ) async throws -> PINCheckExchange.Request {
        let attempt = try await self.attempt(
            over: .pinCheck,
            with: pin,
            at: counter,
            id: attempt,
            in: bank
        )
        return PINCheckExchange.Request(envelope: attempt.code)
    }

    func login(
        by type: AuthenticationType = .userPIN,
        with pin: PIN = .right,
        in bank: Bank
    ) async throws -> LoginExchange.Request {
        let digest = try Digest(sha256: Self.challenge).unwrapped()
        let attempt = try await self.attempt(
            type.credentialKind,
            over: .login(digest),
            with: pin,
            in: bank
        )
        return LoginExchange.Request(dataDigest: digest, type: type, envelope: attempt.code)
    }

    func rekey(
        _ rekey: Rekey,
        with pin: PIN = .right,
        in bank: Bank
    ) async throws -> RekeyExchange.Request {
        let question = try rekey.request.question()
        let attempt = try await self.attempt(over: question, with: pin, in: bank)
        return RekeyExchange.Request(rekey: rekey.request, envelope: attempt.code)
    }
}
