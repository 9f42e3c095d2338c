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
        let server = try agreementKey(named: request.proposal.serverKey)
        let opened = try await openSeed(of: request, attempt, with: server)
        let question = try translatingSystemFailure(request.question(), to: Failure.system)
        let fingerprint = try fingerprint { writer in
            writer.append("rekey")
            writer.append(request.proposal.credential)
            // Another proposal for the same credential, or with another seed, is another attempt.
            writer.append(request.proposal.ephemeralKey.uncompressedPoint)
            writer.append(request.seed)
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
            guard server != nil else { return .refused(.agreementKeyUnknown) }
            // A web device has no biometric authentication.
            guard !context.credential.device.isWeb || proposal.credential.kind != .biometric else {
                return .refused(.typeNotAllowed)
            }
            let target = try context.ledger.target(of: proposal, under: context.credential)
            guard
                proposal.authority == context.credential.context,
                try context.ledger.allows(proposal, for: target, under: context.credential)
            else { return .refused(.generationMismatch) }
            guard let opened, opened.account == context.credential.device.account else {
                return context.refuse(attempt.code)
            }
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

    /// Nil if the rule refuses this rekey whatever the code and the message are: then nothing is
    /// opened.
    private func openSeed(
        of request: RekeyRequest,
        _ attempt: Attempt,
        with server: P256.PrivateKey?
    ) async throws(Failure) -> OpenedSeed? {
        guard let server else { return nil }
        let device = attempt.device
        let found = try await read { [clock, policies] ledger throws(StoreFailure) in
            try ledger.authority(of: request.proposal, attempt, by: clock, under: policies)
        }
        guard let state = found, let authority = try openSeed(of: state) else { return nil }
        let seed = try await translatingAsync(
            await server.withoutBlocking { server throws(CryptographyFailure) in
                try RekeySession(request.proposal, server: server, authority: authority)
                    .open(request.seed)
            }
        ) { Failure.system(SystemFailure($0)) }
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

extension Ledger {
    /// The user credential that authorises a rekey; nil if lock, generation, counter or proposal
    /// rule it out.
    fileprivate func authority(
        of proposal: RekeyProposal,
        _ attempt: Attempt,
        by clock: VerifierClock,
        under policies: PolicyCache
    ) throws(StoreFailure) -> CredentialState? {
        guard
            let authority = try credentialState(.user, on: attempt.device),
            authority.context == proposal.authority,
            try allows(
                proposal,
                for: try target(of: proposal, under: authority),
                under: authority
            )
        else { return nil }
        let conditions = try conditions(
            in: try state(),
            for: authority,
            by: clock,
            under: policies
        )
        // The check in the commit decides and is recorded; this one only avoids work.
        var (checked, events) = (authority, [Event]())
        let result = checked.checkBeforeCode(attempt.code, in: conditions, events: &events)
        return result.isAccepted ? authority : nil
    }

    /// Whether the generation is the next one, and the id of a new credential is unused.
    ///
    /// The audit trail names a credential only by its id. So a restore could change a credential
    /// instead of another one that chose its id.
    fileprivate func allows(
        _ proposal: RekeyProposal,
        for target: CredentialState?,
        under authority: CredentialState
    ) throws(StoreFailure) -> Bool {
        guard proposal.follows(target?.context) else { return false }
        guard target == nil else { return true }
        let (id, account) = (proposal.credential.id, authority.device.account)
        return try credentialStates(withID: id, of: account).isEmpty
    }

    /// The current state of the credential to rekey; nil if it does not exist yet.
    fileprivate func target(
        of proposal: RekeyProposal,
        under authority: CredentialState
    ) throws(StoreFailure) -> CredentialState? {
        let kind = proposal.credential.kind
        if kind == authority.credential.kind { return authority }
        return try credentialState(kind, on: authority.device.id)
    }
}

extension AttemptContext {
    /// The refusal of a code whose message was not opened.
    ///
    /// If the state changed since, the code may be right now: the device tries once more.
    fileprivate mutating func refuse(_ code: CodeEnvelope) -> AttemptResult {
        let result = credential.checkBeforeCode(code, in: conditions, events: &events)
        return result.isAccepted ? .refused(.generationMismatch) : AttemptResult(result)
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
