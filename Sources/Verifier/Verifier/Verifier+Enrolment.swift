package import Cryptography
import OneTimePassword
package import TransactionApproval

/// The answer to the second step of an activation.
package enum CommitAnswer: Equatable, Sendable {
    case activated(receipt: Digest)
    case refused(CommitRefusal)
}

package enum CommitRefusal: Equatable, Sendable {
    case activation(Activation.Refusal)
    /// What was sent does not fit the offer, or was not sealed for it.
    case enrolment
    /// The account has as many devices as the enterprise allows.
    case tooManyDevices
}

/// A new device with its two first credentials, sealed for the store.
private struct NewEnrolment: Sendable {
    let account: AccountReference
    let device: DeviceID
    let publicKey: [UInt8]
    let name: String
    let credentials: [(context: CredentialContext, seed: SealedValue)]
}

extension Verifier {
    /// The second step: takes the seeds of every account, all of them or none.
    package func commit(_ commit: ActivationCommit) async throws(Failure) -> CommitAnswer {
        let submitted = commit.submittedClaim
        guard let found = try await openCode(of: submitted.claim.activation) else {
            return .refused(.activation(.codeInvalid))
        }
        let verified = try onThisMachine { () throws(CryptographyFailure) in
            try ActivationSession.verify(submitted, server: agreementKey, code: found.code)
        }
        let isProven = verified != nil
        let digest = try digest(of: submitted)
        guard
            case .open(_, let claim?) = found.activation.state, claim.digest == digest,
            let offer = ActivationOffer(claim.offer), let session = verified
        else {
            return .refused(try await refusal(of: submitted.claim, digest, isProven: isProven))
        }
        let enrolment = try enrolment(session, offer)
        guard let new = try newEnrolments(of: commit, in: enrolment) else {
            return .refused(.enrolment)
        }
        let receipt = try onThisMachine { () throws(CryptographyFailure) in
            try enrolment.receipt(for: commit)
        }
        let refusal = try await keep(new, of: submitted.claim, digest)
        return refusal.map { .refused($0) } ?? .activated(receipt: receipt)
    }

    /// Says no to what does not go on from the claim that counts, and charges a wrong code.
    private func refusal(
        of claim: ActivationClaim,
        _ digest: [UInt8],
        isProven: Bool
    ) async throws(Failure) -> CommitRefusal {
        try await change(by: .verifier) { scene throws(StoreFailure) in
            guard var activation = try scene.ledger.activation(claim.activation) else {
                return .activation(.codeInvalid)
            }
            let refusal = activation.commit(
                digest,
                isProven: isProven,
                at: scene.now,
                events: &scene.events
            )
            // It may have become the claim that counts only now: the device asks once more.
            guard let refusal else { return .activation(.superseded) }
            try scene.ledger.save(activation)
            return .activation(refusal)
        }
    }

    /// Nil where a seed or a device key does not belong where it was sent.
    private func newEnrolments(
        of commit: ActivationCommit,
        in session: borrowing EnrolmentSession
    ) throws(Failure) -> [NewEnrolment]? {
        var new: [NewEnrolment] = []
        for (index, place) in session.offer.enrolments.enumerated() {
            let seeds: AccountSeeds
            do throws(EnrolmentSession.Refusal) {
                seeds = try session.seeds(at: index, of: commit)
            } catch .machine(let failure) {
                throw .machine(MachineFailure(failure))
            } catch {
                return nil
            }
            let sent = commit.enrolments[index]
            let account = AccountReference(
                enterprise: session.offer.enterprise,
                key: place.account
            )
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

    /// Writes all of it in one step with the end of the activation; nil is a yes.
    private func keep(
        _ new: [NewEnrolment],
        of claim: ActivationClaim,
        _ digest: [UInt8]
    ) async throws(Failure) -> CommitRefusal? {
        let policies = policies
        return try await change(by: .device(claim.device)) { scene throws(StoreFailure) in
            guard var activation = try scene.ledger.activation(claim.activation) else {
                return .activation(.codeInvalid)
            }
            if let refusal = activation.commit(
                digest,
                isProven: true,
                at: scene.now,
                events: &scene.events
            ) {
                return .activation(refusal)
            }
            let policy = try policies.policy(of: activation.account.enterprise, scene.ledger)
            for enrolment in new {
                guard
                    let account = try scene.ledger.account(enrolment.account),
                    account.replacedBy == nil
                else { return .activation(.superseded) }
                guard try scene.ledger.device(enrolment.device) == nil else { return .enrolment }
                let active = try scene.ledger.devices(of: enrolment.account)
                    .count { $0.standing == .active }
                guard active < policy.devicesPerAccount else { return .tooManyDevices }
            }
            try scene.ledger.save(activation)
            for enrolment in new {
                try scene.add(enrolment, of: claim.activation, countingWith: claim.device)
            }
            return nil
        }
    }
}

extension ChangeScene {
    /// The user credentials of one person on one installation have one PIN, so they count together.
    fileprivate mutating func add(
        _ enrolment: NewEnrolment,
        of activation: ActivationID,
        countingWith first: DeviceID
    ) throws(StoreFailure) {
        let device = Device(
            id: enrolment.device,
            account: enrolment.account,
            kind: .installation(publicKey: enrolment.publicKey),
            name: enrolment.name,
            activated: now
        )
        try ledger.add(device)
        for (context, seed) in enrolment.credentials {
            let countsElsewhere = context.kind == .user && device.id != first
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
                    countedWith: countsElsewhere ? first : nil
                )
            )
        }
        events.append(
            Event(.deviceActivated, of: device.id, in: device.account, detail: activation.text)
        )
    }
}
