import Cryptography
import TransactionApproval

extension AuthenticationHandler {
    /// Approves the transaction as it was shown.
    ///
    /// A wrong PIN throws `authenticationFailed` with the remaining attempts. A failed biometric
    /// check costs no attempt; `offeredTypes` of the error lists the types to offer next.
    /// The bank can require more than consent after several consents; then `offeredTypes` has the
    /// other types.
    /// `typedNumber` is the number that the bank shows; it is required if `typedDigits` is not nil.
    /// Anything else than `typedDigits` digits (0 to 9) is a typing error, which throws
    /// `invalidArgument` and costs no attempt. So check the number before the call.
    public func approve(
        _ transaction: PendingTransaction,
        with method: consuming AuthenticationMethod,
        typedNumber: String? = nil
    ) async throws(AuthenticationError) {
        let type = method.type
        let number = try number(typedNumber, approving: transaction, by: type)
        let factor = try await factor(
            method,
            of: transaction.device,
            possible: transaction.authenticationTypes
        )
        do throws(AuthenticationError) {
            try await decide(.approve(type), on: transaction, number, with: factor)
        } catch {
            var failure = error
            if type == .consent, error.code == .authenticationTypeNotAllowed {
                failure.offeredTypes = transaction.authenticationTypes.filter { $0 != .consent }
            }
            throw failure
        }
    }

    /// Rejects the transaction; needs no PIN and works during a temporary lock.
    public func reject(
        _ transaction: PendingTransaction,
        reason: RejectionReason = .unspecified
    ) async throws(AuthenticationError) {
        try await decide(.reject(reason), on: transaction, nil, with: .device)
    }

    private func number(
        _ typedNumber: String?,
        approving transaction: PendingTransaction,
        by type: AuthenticationType
    ) throws(AuthenticationError) -> TypedNumber? {
        guard transaction.authenticationTypes.contains(type) else {
            if type == .biometric { try checkBiometrics(of: transaction.device) }
            throw AuthenticationError(.authenticationTypeNotAllowed)
        }
        // Another form can only be a typing error, so it costs no attempt.
        guard typedNumber.map(transaction.isTypedNumber) ?? (transaction.typedDigits == nil) else {
            throw AuthenticationError(.invalidArgument, cause: "the typed number")
        }
        return typedNumber.flatMap { TypedNumber($0) }
    }

    /// Signs the transaction as it was shown, together with the decision.
    private func decide(
        _ choice: DecisionExchange.Choice,
        on pending: PendingTransaction,
        _ number: TypedNumber?,
        with factor: consuming Factor
    ) async throws(AuthenticationError) {
        _ = try await send(
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
            let signature = try translatingSystemFailure(
                evidence.signature(by: account.secrets.key)
            )
            return DecisionExchange.Request(
                transaction: pending.transaction.id,
                choice: choice,
                evidence: signature,
                envelope: envelope
            )
        }
    }
}
