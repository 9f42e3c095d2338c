import Cryptography
import OneTimePassword
package import TransactionApproval

extension Verifier {
    /// Approves or rejects a transaction.
    package func decide(
        _ choice: DecisionExchange.Choice,
        on transaction: TransactionID,
        _ evidence: SignedEvidence?,
        _ attempt: Attempt
    ) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint { writer in
            writer.append("decision")
            writer.append(transaction)
            writer.append(choice.decision.byte)
            writer.append(choice.credentialKind.rawValue)
        }
        let submitted = SubmittedDecision(choice: choice, evidence: evidence, code: attempt.code)
        return try await run(
            attempt,
            with: choice.credentialKind,
            on: transaction,
            asking: { record, number throws(SystemFailure) in
                try record.map { record throws(SystemFailure) in
                    submitted.question(on: try record.hash(), number: number)
                }
            },
            fingerprint: fingerprint
        ) { scene, codes throws(StoreFailure) in
            guard let record = try scene.ledger.transaction(transaction) else {
                return .refused(.unknownTransaction)
            }
            var state = DecisionState(credential: scene.credential, transaction: record)
            let refusal = try scene.onThisMachine { scene throws(SystemFailure) in
                try state.judge(
                    submitted,
                    number: codes.number,
                    with: codes.inBand,
                    in: scene.circumstances,
                    events: &scene.events
                )
            }
            scene.credential = state.credential
            if let refusal { return .refused(refusal) }
            try scene.ledger.save(state.transaction, replacing: record)
            if let end = state.mutedUntil { try scene.ledger.mute(record.account, until: end) }
            return .accepted(nil)
        }
    }

    func fingerprint(_ write: (inout FieldWriter) -> Void) throws(Failure) -> [UInt8] {
        var writer = FieldWriter()
        write(&writer)
        return try onThisMachine { () throws(CryptographyFailure) in try writer.sha256().array }
    }
}
