package import Cryptography
import FailureTranslation
import Storage
package import TransactionApproval

extension Verifier {
    /// Approves or rejects a transaction, at the request of a device whose request signature is
    /// valid under `key`.
    ///
    /// Evidence is refused if this is not the stored key of the device.
    package func decide(
        _ request: DecisionExchange.Request,
        from device: DeviceID,
        signedBy key: P256.PublicKey
    ) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint { writer in
            writer.append("decision")
            writer.append(request.transaction)
            writer.append(request.choice.decision.byte)
            writer.append(request.choice.credentialKind.rawValue)
        }
        let attempt = AttemptKey(
            Attempt(device: device, code: request.envelope),
            fingerprint: fingerprint,
            with: request.choice.credentialKind
        )
        let judged = try await run(attempt, on: request.transaction, by: .device(device)) {
            state,
            record throws(Failure) in
            try self.open(request, state, record, key)
        } checking: { [policies] opened, context throws(StoreFailure) in
            guard let record = try context.ledger.transaction(request.transaction) else {
                return .refused(.unknownTransaction)
            }
            var state = DecisionState(
                credential: context.credential,
                transaction: record,
                limits: try context.limits(for: request.choice, by: policies)
            )
            let result = try translating(
                state.check(
                    request,
                    with: opened,
                    in: context.conditions,
                    events: &context.events
                ),
                to: StoreFailure.system
            )
            context.credential = state.credential
            guard result.isAccepted else { return AttemptResult(result) }
            try context.ledger.save(state.transaction)
            if let total = state.consents { try context.save(total) }
            if let end = state.mutedUntil { try context.ledger.mute(record.account, until: end) }
            return .accepted(nil)
        }
        return judged.result
    }

    /// Opens the secrets of a decision and verifies the device's evidence, outside the store
    /// transaction; nil for a token.
    private func open(
        _ request: DecisionExchange.Request,
        _ state: CredentialState,
        _ record: TransactionRecord?,
        _ key: P256.PublicKey
    ) throws(Failure) -> OpenedDecision? {
        guard let record else {
            return try openCodes(of: state, over: nil, in: request.envelope.epoch)
                .map { OpenedDecision(codes: $0, number: nil, evidence: nil) }
        }
        let hash = try translating(record.hash(), to: Failure.system)
        let number = try openNumber(of: record)
        let question = request.question(on: hash, number: number)
        guard
            let codes = try openCodes(of: state, over: question, in: request.envelope.epoch)
        else { return nil }
        let evidence = try translatingSystemFailure(
            request.expectedEvidence(on: hash, by: state.device.id)
                .signed(with: request.evidence, by: key),
            to: Failure.system
        )
        return OpenedDecision(codes: codes, number: number, evidence: evidence)
    }

    func fingerprint(_ write: (inout FieldWriter) -> Void) throws(Failure) -> [UInt8] {
        var writer = FieldWriter()
        write(&writer)
        return try translatingSystemFailure(writer.sha256().array, to: Failure.system)
    }
}
