import Cryptography
import FailureTranslation
import Sealing
import Storage
package import TransactionApproval

extension Verifier {
    /// Replaces a credential's seed: one message, one commit.
    package func rekey(
        _ request: RekeyRequest,
        _ attempt: Attempt
    ) async throws(Failure) -> AttemptResult {
        let opened = try await openSeed(of: request, from: attempt.device)
        let question = try translatingSystemFailure(request.question(), to: Failure.system)
        let fingerprint = try fingerprint { writer in
            writer.append("rekey")
            writer.append(request.proposal.credential)
            // The ephemeral key identifies this proposal: another proposal for the same credential
            // is another attempt.
            writer.append(request.proposal.ephemeralKey.uncompressedPoint)
        }
        return try await run(
            attempt,
            with: .user,
            over: question,
            fingerprint: fingerprint
        ) { context, codes throws(StoreFailure) in
            let status = context.credential.checkStatus(in: context.conditions)
            guard status.isAccepted else { return AttemptResult(status) }
            let proposal = request.proposal
            guard let opened, opened.account == context.credential.device.account else {
                return .refused(.generationMismatch)
            }
            let target = try context.target(of: proposal)
            guard proposal.follows(target?.context) else { return .refused(.generationMismatch) }
            let result = try translating(
                context.credential.authorise(
                    attempt.code,
                    proposal,
                    over: question,
                    seedOpened: opened.seed != nil,
                    with: codes,
                    in: context.conditions,
                    events: &context.events
                ),
                to: StoreFailure.system
            )
            guard result.isAccepted, let seed = opened.seed else { return AttemptResult(result) }
            try context.put(seed, for: proposal, replacing: target)
            return .accepted(nil)
        }
    }

    private struct OpenedSeed: Sendable {
        /// Sealed again for the store and this account; nil if it could not be opened.
        let seed: SealedValue?
        let account: AccountReference
    }

    /// Nil if the device has no user credential that can authorise a rekey.
    private func openSeed(
        of request: RekeyRequest,
        from device: DeviceID
    ) async throws(Failure) -> OpenedSeed? {
        let found = try await read { ledger throws(StoreFailure) in
            try ledger.credentialState(.user, on: device)
        }
        guard let state = found, state.context == request.proposal.authority else { return nil }
        guard let authority = try openSeed(of: state) else { return nil }
        let seed = try translatingSystemFailure(
            RekeySession(request.proposal, server: agreementKey, authority: authority)
                .open(request.seed),
            to: Failure.system
        )
        let account = state.device.account
        guard let seed else {
            // The same work as for a seed that opens, so time does not reveal a right PIN without a
            // charge.
            let other = try translatingSystemFailure(CredentialSeed.random(), to: Failure.system)
            _ = try seal(other, of: request.proposal.credential, on: device, for: account)
            return OpenedSeed(seed: nil, account: account)
        }
        let sealed = try seal(seed, of: request.proposal.credential, on: device, for: account)
        return OpenedSeed(seed: sealed, account: account)
    }
}

extension AttemptContext {
    /// The current state of the credential to rekey; nil if it does not exist yet.
    fileprivate func target(of proposal: RekeyProposal) throws(StoreFailure) -> CredentialState? {
        let kind = proposal.credential.kind
        if kind == credential.credential.kind { return credential }
        return try ledger.credentialState(kind, on: credential.device.id)
    }

    fileprivate mutating func put(
        _ seed: SealedValue,
        for proposal: RekeyProposal,
        replacing target: CredentialState?
    ) throws(StoreFailure) {
        guard proposal.credential.kind != credential.credential.kind else {
            credential.rekey(to: proposal.credential, seed, events: &events)
            return
        }
        guard let target else {
            let added = CredentialState(
                device: credential.device,
                credential: Credential(
                    beginning: proposal.credential,
                    on: credential.device.id,
                    in: conditions.epoch,
                    seed: seed
                ),
                failures: FailureCount()
            )
            try ledger.add(added)
            events.append(added.event(.credentialAdded, detail: added.credential.kind.rawValue))
            return
        }
        var rekeyed = target
        rekeyed.rekey(to: proposal.credential, seed, events: &events)
        try ledger.save(rekeyed, replacing: target)
    }
}
