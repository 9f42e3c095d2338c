import FailureTranslation
import Storage
package import TransactionApproval

/// The bank call that submits a typed code, and the code's device.
package struct TypedSubmission: Sendable {
    package let call: BankCall
    package let device: DeviceID
    package let account: AccountReference

    package init(call: BankCall, device: DeviceID, account: AccountReference) {
        self.call = call
        self.device = device
        self.account = account
    }
}

extension Verifier {
    /// Checks one code, over the bank's data or over the counter alone.
    package func verify(
        typed text: String,
        over data: [UInt8]? = nil,
        _ submission: TypedSubmission,
        by author: ChangeAuthor
    ) async throws(Failure) -> JudgedAttempt {
        let code = TypedCode(submitted: text, over: data)
        return try await check(submission, by: author) {
            context,
            policy,
            codes throws(StoreFailure) in
            try translating(
                context.credential.check(
                    code,
                    lookAhead: policy.lookAhead,
                    with: codes,
                    in: context.conditions,
                    events: &context.events
                ),
                to: StoreFailure.system
            )
        }
    }

    /// Finds a device that ran ahead, by two codes in a row.
    ///
    /// `isWitnessed` means that a bank employee saw the device make them; a restored token needs
    /// that.
    package func resynchronise(
        _ first: String,
        then second: String,
        isWitnessed: Bool = false,
        _ submission: TypedSubmission,
        by author: ChangeAuthor
    ) async throws(Failure) -> JudgedAttempt {
        let (firstCode, secondCode) = (TypedCode(submitted: first), TypedCode(submitted: second))
        return try await check(submission, by: author) {
            context,
            policy,
            codes throws(StoreFailure) in
            try translating(
                context.credential.resynchronise(
                    firstCode,
                    then: secondCode,
                    within: policy.resynchronisationReach,
                    isWitnessed: isWitnessed,
                    with: codes,
                    in: context.conditions,
                    events: &context.events
                ),
                to: StoreFailure.system
            )
        }
    }

    private func check(
        _ submission: TypedSubmission,
        by author: ChangeAuthor,
        rule:
            @escaping @Sendable (
                inout AttemptContext, EnterprisePolicy, borrowing TypedCodeCheck
            ) throws(StoreFailure) -> RuleResult<Refusal>
    ) async throws(Failure) -> JudgedAttempt {
        let device = submission.device
        let found = try await read { ledger throws(StoreFailure) in
            try ledger.typedCredentialState(on: device)?.credential.kind
        }
        guard let kind = found else {
            return JudgedAttempt(result: .refused(.typeNotAllowed), isRepeated: false)
        }
        let key = AttemptKey(.call(submission.call), of: kind, on: device)
        return try await run(key, by: author) { state, _ throws(Failure) -> TypedCodeCheck.Keys? in
            try self.openTypedKeys(of: state)
        } checking: { [policies] keys, context throws(StoreFailure) in
            // The account may have been replaced; a stored verdict stays the same.
            guard context.credential.device.account == submission.account else {
                return .refused(.typeNotAllowed)
            }
            let policy = try policies.policy(of: submission.account.enterprise, context.ledger)
            guard try policies.allows(submission.account, context.ledger) else {
                return .refused(.typeNotAllowed)
            }
            guard policy.takesCodes(of: context.credential.device) else {
                return .refused(.typeNotAllowed)
            }
            // The bank can approve anything with a typed code.
            if let wait = try context.wait(under: policy.newDevice) {
                return .refused(.deviceWaiting(until: wait.end))
            }
            let codes = try translating(TypedCodeCheck(keys), to: StoreFailure.system)
            return AttemptResult(try rule(&context, policy, codes))
        }
    }
}
