package import Cryptography
import Sealing
import Storage
package import TransactionApproval

/// The result of the second activation step.
package enum CommitResult: Equatable, Sendable {
    /// The outcome of each account, in the order of the offer.
    case committed([EnrolmentOutcome], receipt: Digest)
    case refused(CommitRefusal)
}

package enum CommitRefusal: Error, Equatable, Sendable {
    case activation(Activation.Refusal)
    /// The seeds or keys do not fit the offer, or the sibling's PIN was not proven for it.
    case enrolment
}

/// A new device with its two first credentials, sealed for the store.
private struct NewEnrolment: Sendable {
    let account: AccountReference
    let device: DeviceID
    let publicKey: [UInt8]
    let name: String
    let credentials: [(context: CredentialContext, seed: SealedValue)]
}

/// A sibling that a commit names, and the fingerprint that its PIN check must have.
private struct NamedSibling: Sendable {
    let sibling: ActivationCommit.Sibling
    let fingerprint: [UInt8]
}

extension Verifier {
    /// The second step: enrols the device for every account that can have one more device.
    ///
    /// If no account can, nothing changes, and the same commit can be repeated later.
    package func commit(_ commit: ActivationCommit) async throws(Failure) -> CommitResult {
        let submitted = commit.submittedClaim
        let found = try await openCode(of: submitted.claim.activation)
        let digest = try digest(of: submitted)
        guard let session = try await session(of: submitted, found.code) else {
            try note(submitted, of: found.activation)
            return .refused(.activation(.codeInvalid))
        }
        guard
            case .open(_, let claim?) = found.activation?.state, claim.digest == digest,
            let offer = ActivationOffer(claim.offer)
        else { return .refused(.activation(try await refusal(of: submitted.claim, digest))) }
        let enrolment = try enrolment(session, offer)
        guard let new = try newEnrolments(of: commit, in: enrolment) else {
            return .refused(.enrolment)
        }
        let sibling = try commit.sibling.map { sibling throws(Failure) in
            let claim = try translatingSystemFailure(submitted.digest(), to: Failure.system)
            let fingerprint = try fingerprint(ofPINCheckFor: claim)
            return NamedSibling(sibling: sibling, fingerprint: fingerprint)
        }
        switch try await keep(new, of: submitted.claim, digest, joining: sibling) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let outcomes):
            let receipt = try translatingSystemFailure(
                enrolment.receipt(for: commit, outcomes),
                to: Failure.system
            )
            return .committed(outcomes, receipt: receipt)
        }
    }

    /// Why a commit without the current claim is refused.
    private func refusal(
        of claim: ActivationClaim,
        _ digest: [UInt8]
    ) async throws(Failure) -> Activation.Refusal {
        return try await read { [clock] ledger throws(StoreFailure) in
            guard var activation = try ledger.activation(claim.activation) else {
                return .codeInvalid
            }
            let now = clock.now(in: try ledger.state())
            // Another request may have made it the current claim just now; the device must try
            // again.
            guard case .refused(let refusal) = activation.commit(digest, at: now) else {
                return .superseded
            }
            return refusal
        }
    }

    /// Nil if a seed or a device key does not belong to its account.
    private func newEnrolments(
        of commit: ActivationCommit,
        in session: borrowing EnrolmentSession
    ) throws(Failure) -> [NewEnrolment]? {
        var new: [NewEnrolment] = []
        for (index, place) in session.offer.enrolments.enumerated() {
            let seeds: AccountSeeds
            do throws(EnrolmentSession.Refusal) {
                seeds = try session.seeds(at: index, of: commit)
            } catch .system(let failure) {
                throw .system(failure)
            } catch {
                return nil
            }
            let sent = commit.enrolments[index]
            let account = AccountReference(enterprise: session.offer.enterprise, key: place.account)
            let user = session.offer.credential(.user, of: place)
            let device = session.offer.credential(.device, of: place)
            new.append(
                NewEnrolment(
                    account: account,
                    device: sent.device,
                    publicKey: sent.deviceKey.uncompressedPoint,
                    name: commit.submittedClaim.claim.deviceName.text,
                    credentials: [
                        (user, try seal(seeds.user, of: user, on: sent.device, for: account)),
                        (device, try seal(seeds.device, of: device, on: sent.device, for: account)),
                    ]
                )
            )
        }
        return new
    }

    /// Enrols the accounts and closes the activation in one store transaction.
    private func keep(
        _ new: [NewEnrolment],
        of claim: ActivationClaim,
        _ digest: [UInt8],
        joining sibling: NamedSibling?
    ) async throws(Failure) -> Result<[EnrolmentOutcome], CommitRefusal> {
        return try await change(by: .device(claim.device)) {
            [policies] context throws(StoreFailure) in
            guard
                let old = try context.ledger.activation(claim.activation),
                try !context.ledger.isReplaced(old.account), try !context.ledger.isFollowed(old)
            else { return .failure(.activation(.codeInvalid)) }
            var activation = old
            if case .refused(let refusal) = activation.commit(digest, at: context.now) {
                return .failure(.activation(refusal))
            }
            let policy = try policies.policy(of: activation.account.enterprise, context.ledger)
            guard try context.allows(new, by: activation, under: policy) else {
                var open = old
                if open.dropClaim() { try context.ledger.save(open) }
                return .failure(.activation(.superseded))
            }
            var counting: DeviceID?
            if let sibling {
                let enterprise = activation.account.enterprise
                counting = try context.countingDevice(of: sibling, in: enterprise, under: policy)
                guard counting != nil else { return .failure(.enrolment) }
            }
            var outcomes: [EnrolmentOutcome] = []
            for enrolment in new {
                guard try context.isNew(enrolment) else { return .failure(.enrolment) }
                outcomes.append(try context.outcome(of: enrolment, by: policy))
            }
            let enrolled = zip(new, outcomes).filter { $0.1 == .enrolled }.map(\.0)
            guard let first = enrolled.first else { return .success(outcomes) }
            try context.ledger.save(activation)
            try context.add(
                enrolled,
                of: activation,
                countingWith: counting ?? first.device
            )
            return .success(outcomes)
        }
    }
}

extension ChangeContext {
    /// Whether the activation covers these accounts now, as its offer did.
    ///
    /// Accounts that were replaced since are covered, because each has an outcome of its own.
    fileprivate func allows(
        _ enrolments: [NewEnrolment],
        by activation: Activation,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> Bool {
        guard policy.allowsDevice(isWeb: activation.isWeb) else { return false }
        guard let account = try ledger.account(activation.account) else { throw .damaged }
        let covered = policy.linksAccounts ? try ledger.allAccounts(of: account) : [account]
        return enrolments.allSatisfy { enrolment in
            covered.contains { $0.reference == enrolment.account }
        }
    }

    /// Whether the ids are unused: that of the device, and in the account those of its credentials.
    ///
    /// A device can choose an id of an offer for its biometric credential before the commit.
    fileprivate func isNew(_ enrolment: NewEnrolment) throws(StoreFailure) -> Bool {
        guard try ledger.device(enrolment.device) == nil else { return false }
        for (credential, _) in enrolment.credentials {
            let others = try ledger.credentialStates(withID: credential.id, of: enrolment.account)
            guard others.isEmpty else { return false }
        }
        return true
    }

    fileprivate func outcome(
        of enrolment: NewEnrolment,
        by policy: EnterprisePolicy
    ) throws(StoreFailure) -> EnrolmentOutcome {
        guard let account = try ledger.account(enrolment.account), account.replacedBy == nil else {
            return .accountReplaced
        }
        return try hasRoom(in: account.reference, under: policy) ? .enrolled : .tooManyDevices
    }

    /// The device that counts the sibling's wrong codes.
    ///
    /// Nil unless the sibling's PIN was right for this claim. Without this proof a thief of the
    /// device could add an account of their own, and reset the count with its PIN.
    fileprivate func countingDevice(
        of named: NamedSibling,
        in enterprise: EnterpriseID,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> DeviceID? {
        let device = named.sibling.device
        let conditions = CheckConditions(now: now, epoch: epoch, lockPolicy: policy.lock)
        guard
            let check = try ledger.attempt(named.sibling.attempt, by: device),
            case .accepted = check.verdict, check.fingerprint == named.fingerprint,
            let state = try ledger.credentialState(.user, on: device),
            state.device.account.enterprise == enterprise,
            state.checkStatus(in: conditions).isAccepted
        else { return nil }
        return state.countingDevice ?? device
    }

    /// The devices of one activation do not make each other wait.
    fileprivate mutating func add(
        _ enrolments: [NewEnrolment],
        of activation: Activation,
        countingWith counting: DeviceID
    ) throws(StoreFailure) {
        let waits = try enrolments.map { enrolment throws(StoreFailure) in
            try !ledger.devices(ofPersonWith: enrolment.account).isEmpty
        }
        for (enrolment, waits) in zip(enrolments, waits) {
            let device = Device(
                id: enrolment.device,
                account: enrolment.account,
                kind: .installation(publicKey: enrolment.publicKey),
                isWeb: activation.isWeb,
                name: enrolment.name,
                activated: now,
                waits: waits
            )
            try add(device, with: enrolment.credentials, countingWith: counting)
            let kind = device.isWeb ? " " + Event.webMark : ""
            events.append(
                Event(
                    .deviceActivated,
                    of: device.id,
                    in: device.account,
                    detail: activation.id.text + kind
                )
            )
        }
    }

    /// A person's user credentials on one installation have the same PIN, so they share one failure
    /// count.
    private func add(
        _ device: Device,
        with credentials: [(context: CredentialContext, seed: SealedValue)],
        countingWith counting: DeviceID
    ) throws(StoreFailure) {
        try ledger.add(device)
        for (context, seed) in credentials {
            let countsElsewhere = context.kind == .user && device.id != counting
            try ledger.add(
                CredentialState(
                    device: device,
                    credential: Credential(
                        beginning: context,
                        on: device.id,
                        in: epoch,
                        seed: seed
                    ),
                    failures: FailureCount(),
                    countingDevice: countsElsewhere ? counting : nil
                )
            )
        }
    }
}
