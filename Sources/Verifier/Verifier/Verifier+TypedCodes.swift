import Cryptography
import OneTimePassword
package import TransactionApproval

/// A code that a person read off the device and typed into the bank's side.
package struct TypedSubmission: Sendable {
    /// The bank's own name for this call: sent again, it gets the same answer.
    package let call: String
    package let device: DeviceID
    package let account: AccountReference

    package init(call: String, device: DeviceID, account: AccountReference) {
        self.call = call
        self.device = device
        self.account = account
    }
}

extension Verifier {
    /// Judges one code, over what the bank wanted signed or over nothing but its counter.
    package func verify(
        typed text: String,
        over data: [UInt8]? = nil,
        _ submission: TypedSubmission,
        by actor: Actor
    ) async throws(Failure) -> Answer {
        let code = TypedCode(submitted: text, over: data)
        let policies = policies
        let name = try await name(of: submission) { writer in
            writer.append("typed")
            writer.append(text)
            writer.append(UInt8(data == nil ? 0 : 1))
            writer.append(data ?? [])
        }
        return try await judge(name, submission, by: actor) { scene, codes throws(StoreFailure) in
            let policy = try policies.policy(of: submission.account.enterprise, scene.ledger)
            return try scene.onThisMachine { scene throws(MachineFailure) in
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
    package func resynchronise(
        _ first: String,
        then second: String,
        _ submission: TypedSubmission,
        by actor: Actor
    ) async throws(Failure) -> Answer {
        let (firstCode, secondCode) = (TypedCode(submitted: first), TypedCode(submitted: second))
        let policies = policies
        let name = try await name(of: submission) { writer in
            writer.append("resynchronisation")
            writer.append(first)
            writer.append(second)
        }
        return try await judge(name, submission, by: actor) { scene, codes throws(StoreFailure) in
            let policy = try policies.policy(of: submission.account.enterprise, scene.ledger)
            return try scene.onThisMachine { scene throws(MachineFailure) in
                try scene.credential.resynchronise(
                    firstCode,
                    then: secondCode,
                    within: policy.resynchronisationReach,
                    with: codes,
                    in: scene.circumstances,
                    events: &scene.events
                )
            }
        }
    }

    private func judge(
        _ name: AttemptName,
        _ submission: TypedSubmission,
        by actor: Actor,
        rule:
            @escaping @Sendable (
                inout AttemptScene, borrowing TypedCodes
            ) throws(StoreFailure) -> Refusal?
    ) async throws(Failure) -> Answer {
        try await run(name, by: actor) {
            state,
            _ throws(Failure) -> TypedKeys? in
            guard state.device.account == submission.account else { return nil }
            return try openKeys(of: state)
        } judge: { keys, scene throws(StoreFailure) in
            let codes = try scene.onThisMachine { _ throws(MachineFailure) in
                try TypedCodes(keys)
            }
            return try rule(&scene, codes).map { .refused($0) } ?? .accepted(nil)
        }
    }

    private func openKeys(of state: CredentialState) throws(Failure) -> TypedKeys {
        let seed = try openSeed(of: state)
        return try onThisMachine { () throws(MachineFailure) in
            try TypedKeys(of: state.context, seed: seed)
        }
    }

    /// The attempt that a call of the bank is.
    ///
    /// It has a code in it, so its fingerprint is a MAC: nobody who reads the database can test a
    /// code with it.
    private func name(
        of submission: TypedSubmission,
        _ write: (inout FieldWriter) -> Void
    ) async throws(Failure) -> AttemptName {
        let callDigest = try fingerprint { writer in
            writer.append("call")
            writer.append(submission.account)
            writer.append(submission.call)
        }
        var message = FieldWriter()
        write(&message)
        let content = message.bytes
        let key = try await fingerprintKey()
        let fingerprint = try onThisMachine { () throws(CryptographyFailure) in
            try key.fingerprint(of: content)
        }
        return AttemptName(
            id: AttemptID(checked: Array(callDigest.prefix(AttemptID.byteCount))),
            device: submission.device,
            kind: .user,
            fingerprint: fingerprint
        )
    }
}
