import Cryptography
import TransactionApproval

extension AuthenticationHandler {
    /// Approves by the device alone, where the transaction accepts that: nobody is asked for a PIN.
    ///
    /// `typedNumber` is what the person read on the bank's side, where `typedDigits` asks for it.
    public func authenticateUsingConsent(
        _ transaction: PendingTransaction,
        typedNumber: String? = nil
    ) async throws(AuthenticationError) {
        try await approve(transaction, typedNumber, by: .consent, with: .device)
    }

    /// Approves by the user's PIN; a wrong one throws `authenticationFailed` with the attempts left.
    public func authenticateUsingUserPIN(
        _ transaction: PendingTransaction,
        pin: consuming PIN,
        typedNumber: String? = nil
    ) async throws(AuthenticationError) {
        try await approve(transaction, typedNumber, by: .userPIN, with: .pin(pin))
    }

    /// Rejects; never asks for a PIN, and works while the user credential is locked.
    public func cancelTransaction(
        _ transaction: PendingTransaction,
        reason: RejectionReason = .unspecified
    ) async throws(AuthenticationError) {
        try await decide(.reject(reason), on: transaction, nil, with: .device)
    }

    private func approve(
        _ transaction: PendingTransaction,
        _ typedNumber: String?,
        by type: AuthenticationType,
        with factor: consuming Factor
    ) async throws(AuthenticationError) {
        let number = try number(typedNumber, approving: transaction, by: type)
        try await decide(.approve(type), on: transaction, number, with: factor)
    }

    /// What was typed, where a transaction can be approved by that and this type.
    func number(
        _ typedNumber: String?,
        approving transaction: PendingTransaction,
        by type: AuthenticationType
    ) throws(AuthenticationError) -> TypedNumber? {
        guard transaction.authenticationTypes.contains(type) else {
            throw AuthenticationError(.authenticationTypeNotAllowed)
        }
        // Fewer or more digits can only be a typing error: they cost no attempt.
        guard typedNumber?.utf8.count == transaction.typedDigits else {
            throw AuthenticationError(.invalidArgument, cause: "the typed number's length")
        }
        let number = typedNumber.flatMap { TypedNumber($0) }
        guard (number == nil) == (typedNumber == nil) else {
            throw AuthenticationError(.invalidArgument, cause: "the typed number")
        }
        return number
    }

    /// Signs what was shown, and the decision with it.
    func decide(
        _ choice: DecisionExchange.Choice,
        on pending: PendingTransaction,
        _ number: TypedNumber?,
        with factor: consuming Factor
    ) async throws(AuthenticationError) {
        _ = try await ask(
            DecisionExchange.self,
            over: .decision(pending.hash, choice.decision, number),
            of: pending.device,
            with: factor
        ) { envelope, account throws(AuthenticationError) in
            let evidence = DecisionEvidence(
                of: choice,
                on: pending.hash,
                by: pending.device,
                envelope
            )
            let signature = try AuthenticationError.onThisMachine {
                () throws(CryptographyFailure) in
                try evidence.signature(by: account.secrets.key)
            }
            return DecisionExchange.Request(
                transaction: pending.transaction.id,
                choice: choice,
                evidence: signature,
                envelope: envelope
            )
        }
    }
}
