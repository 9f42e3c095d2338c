import OneTimePassword
package import TransactionApproval

/// Where a typed code was submitted, and for which device.
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
        by actor: Actor
    ) async throws(Failure) -> AttemptResult {
        let code = TypedCode(submitted: text, over: data)
        return try await judge(submission, by: actor) {
            scene,
            policy,
            codes throws(StoreFailure) in
            try scene.onThisMachine { scene throws(SystemFailure) in
                try scene.credential.judge(
                    code,
                    lookAhead: policy.lookAhead,
                    with: codes,
                    in: scene.circumstances,
                    events: &scene.events
                )
            }
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
        by actor: Actor
    ) async throws(Failure) -> AttemptResult {
        let (firstCode, secondCode) = (TypedCode(submitted: first), TypedCode(submitted: second))
        return try await judge(submission, by: actor) {
            scene,
            policy,
            codes throws(StoreFailure) in
            try scene.onThisMachine { scene throws(SystemFailure) in
                try scene.credential.resynchronise(
                    firstCode,
                    then: secondCode,
                    within: policy.resynchronisationReach,
                    isWitnessed: isWitnessed,
                    with: codes,
                    in: scene.circumstances,
                    events: &scene.events
                )
            }
        }
    }

    private func judge(
        _ submission: TypedSubmission,
        by actor: Actor,
        rule:
            @escaping @Sendable (
                inout AttemptScene, EnterprisePolicy, borrowing TypedCodeCheck
            ) throws(StoreFailure) -> Refusal?
    ) async throws(Failure) -> AttemptResult {
        let device = submission.device
        let found = try await read { ledger throws(StoreFailure) in
            try ledger.typedCredentialState(on: device)?.credential.kind
        }
        guard let kind = found else { return .refused(.typeNotAllowed) }
        let name = AttemptName(.call(submission.call), of: kind, on: device)
        let policies = policies
        return try await run(name, by: actor) {
            state,
            _ throws(Failure) -> TypedCodeCheck.Keys? in
            try openTypedKeys(of: state)
        } judge: { keys, scene throws(StoreFailure) in
            // The account may have been replaced; a stored verdict stays the same.
            guard scene.credential.device.account == submission.account else {
                return .refused(.typeNotAllowed)
            }
            let policy = try policies.policy(of: submission.account.enterprise, scene.ledger)
            guard policy.takesCodes(of: scene.credential.device.kind) else {
                return .refused(.typeNotAllowed)
            }
            let codes = try scene.onThisMachine { _ throws(SystemFailure) in
                try TypedCodeCheck(keys)
            }
            return try rule(&scene, policy, codes).map { .refused($0) } ?? .accepted(nil)
        }
    }
}
