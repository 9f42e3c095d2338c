package import Cryptography
package import OneTimePassword
import Storage
package import TransactionApproval
package import Verification

extension Phone {
    /// The device's view of a credential.
    package func context(
        _ kind: CredentialKind,
        in bank: Bank
    ) async throws -> (CredentialContext, Counter, Epoch) {
        let id = id
        return try await bank.read { ledger throws(StoreFailure) in
            guard let state = try ledger.credentialState(kind, on: id) else { throw .damaged }
            return (state.context, state.credential.counter, try ledger.state().epoch)
        }
    }

    /// A message with a code, at the next counter or at the given one.
    package func attempt(
        _ kind: CredentialKind = .user,
        over question: InBandQuestion,
        with pin: PIN = .right,
        at counter: Counter? = nil,
        id attempt: AttemptID? = nil,
        in bank: Bank
    ) async throws -> Attempt {
        let (context, nextCounter, epoch) = try await context(kind, in: bank)
        let counter = counter ?? nextCounter
        let codes = try InBandCodes(of: context, seed: try seed(kind, pin))
        let code = CodeEnvelope(
            attempt: try attempt ?? .random(),
            generation: context.generation,
            epoch: epoch,
            counter: counter,
            code: try InBandCode(codes.code(for: question, in: epoch, at: counter)).unwrapped(),
            blind: try .random()
        )
        return Attempt(device: id, code: code)
    }

    /// A code that the person reads and types elsewhere, `ahead` of the next one.
    package func typedCode(
        over data: [UInt8]? = nil,
        ahead: Int64 = 0,
        in bank: Bank
    ) async throws -> String {
        let (context, nextCounter, epoch) = try await context(.user, in: bank)
        let codes = try TypedCodes(of: context, seed: try seed(.user))
        let counter = Counter(UInt64(Int64(nextCounter.value) + ahead))
        guard let data else { return codes.hotp.code(at: counter).text }
        return try codes.code(over: data, in: epoch, at: counter).text
    }
}

// MARK: Operations of a person with the device

extension Phone {
    /// Decides the transaction that the person read.
    @discardableResult
    package func decide(
        _ decision: Decision = .approve,
        on transaction: Transaction,
        by type: AuthenticationType = .userPIN,
        with pin: PIN = .right,
        number: TypedNumber? = nil,
        at counter: Counter? = nil,
        attempt: AttemptID? = nil,
        in bank: Bank
    ) async throws -> AttemptResult {
        let attempt = try await self.attempt(
            decision == .approve ? type.credentialKind : .device,
            over: .decision(try TransactionHash(of: transaction), decision, number),
            with: pin,
            at: counter,
            id: attempt,
            in: bank
        )
        return try await send(decision, on: transaction, by: type, attempt, to: bank.verifier)
    }

    /// Sends a decision with this device's evidence.
    package func send(
        _ decision: Decision = .approve,
        on transaction: Transaction,
        by type: AuthenticationType = .userPIN,
        _ attempt: Attempt,
        to verifier: Verifier
    ) async throws -> AttemptResult {
        let hash = try TransactionHash(of: transaction)
        return try await send(decision, on: transaction.id, hash, by: type, attempt, to: verifier)
    }

    package func send(
        _ decision: Decision = .approve,
        on transaction: TransactionID,
        _ hash: TransactionHash,
        by type: AuthenticationType = .userPIN,
        _ attempt: Attempt,
        to verifier: Verifier
    ) async throws -> AttemptResult {
        let choice: DecisionExchange.Choice =
            switch decision {
            case .approve: .approve(type)
            case .reject(let reason): .reject(reason)
            }
        let request = try self.decision(choice, on: transaction, hash, attempt.code)
        return try await verifier.decide(
            request,
            from: attempt.device,
            signedBy: key.publicKey
        )
    }

    /// Sends this decision, as in a request that this device signed.
    package func send(
        _ request: DecisionExchange.Request,
        to verifier: Verifier
    ) async throws -> AttemptResult {
        try await verifier.decide(request, from: id, signedBy: key.publicKey)
    }

    /// A decision with this device's evidence, or with that of another key.
    package func decision(
        _ choice: DecisionExchange.Choice,
        on transaction: TransactionID,
        _ hash: TransactionHash,
        _ envelope: CodeEnvelope,
        signedBy key: P256.PrivateKey? = nil
    ) throws -> DecisionExchange.Request {
        let evidence = DecisionEvidence(of: choice, on: hash, by: id, envelope)
        return DecisionExchange.Request(
            transaction: transaction,
            choice: choice,
            evidence: try evidence.signature(by: key ?? self.key),
            envelope: envelope
        )
    }

    @discardableResult
    package func checkPIN(
        with pin: PIN = .right,
        at counter: Counter? = nil,
        attempt: AttemptID? = nil,
        for claim: Digest? = nil,
        in bank: Bank
    ) async throws -> AttemptResult {
        let attempt = try await self.attempt(
            over: .pinCheck,
            with: pin,
            at: counter,
            id: attempt,
            in: bank
        )
        return try await bank.verifier.checkPIN(attempt, for: claim)
    }

    package static let challenge = [UInt8](repeating: 7, count: 32)

    package func logIn(
        over digest: [UInt8] = challenge,
        by type: AuthenticationType = .userPIN,
        with pin: PIN = .right,
        attempt: AttemptID? = nil,
        in bank: Bank
    ) async throws -> AttemptResult {
        let attempt = try await self.attempt(
            type.credentialKind,
            over: .login(try Digest(sha256: digest).unwrapped()),
            with: pin,
            id: attempt,
            in: bank
        )
        return try await bank.verifier.logIn(over: digest, by: type, attempt)
    }

    /// Sends a rekey with its code, and switches to the new seed if it is accepted.
    package func send(
        _ rekey: Rekey,
        with pin: PIN = .right,
        attempt: AttemptID? = nil,
        in bank: Bank
    ) async throws -> AttemptResult {
        let attempt = try await self.attempt(
            over: try rekey.request.question(),
            with: pin,
            id: attempt,
            in: bank
        )
        let result = try await bank.verifier.rekey(rekey.request, attempt)
        if result == .accepted(nil) {
            keep(rekey.seed, for: rekey.request.proposal.credential.kind)
        }
        return result
    }

    @discardableResult
    package func type(
        _ code: String,
        over data: [UInt8]? = nil,
        call: String? = nil,
        from account: AccountReference = Bank.account,
        in bank: Bank
    ) async throws -> AttemptResult {
        try await bank.verifier.verify(
            typed: code,
            over: data,
            .of([code], over: data, call: call, on: id, of: account, to: bank.verifier),
            by: Bank.core
        ).result
    }

    package func resynchronise(
        _ first: String,
        then second: String,
        call: String? = nil,
        from account: AccountReference = Bank.account,
        in bank: Bank
    ) async throws -> AttemptResult {
        try await bank.verifier.resynchronise(
            first,
            then: second,
            .of([first, second], call: call, on: id, of: account, to: bank.verifier),
            by: Bank.core
        ).result
    }
}

extension InBandQuestion {
    package static func approval(of transaction: Transaction) throws -> InBandQuestion {
        .decision(try TransactionHash(of: transaction), .approve, nil)
    }
}

extension Attempt {
    /// The same code with another attempt identifier.
    package func withNewID() throws -> Attempt {
        Attempt(device: device, code: code.with(attempt: try .random()))
    }
}

extension CodeEnvelope {
    /// A copy with the given changes.
    package func with(
        attempt: AttemptID? = nil,
        generation: Generation? = nil,
        epoch: Epoch? = nil,
        counter: Counter? = nil,
        code: InBandCode? = nil
    ) -> CodeEnvelope {
        CodeEnvelope(
            attempt: attempt ?? self.attempt,
            generation: generation ?? self.generation,
            epoch: epoch ?? self.epoch,
            counter: counter ?? self.counter,
            code: code ?? self.code,
            blind: blind
        )
    }
}

extension AttemptResult {
    /// A wrong code that leaves this many attempts.
    package static func wrong(left: Int) -> AttemptResult {
        .refused(.wrongCode(.counted(attemptsLeft: left)))
    }

    package static func locking(until end: Timestamp) -> AttemptResult {
        .refused(.wrongCode(.locked(until: end)))
    }
}
