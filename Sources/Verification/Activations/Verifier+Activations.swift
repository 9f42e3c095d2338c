package import Cryptography
import Storage
package import TransactionApproval

/// A new activation; its id and its code go to the person by different channels.
package struct IssuedActivation: ~Copyable, Sendable {
    package let id: ActivationID
    package let code: ActivationCode

    package consuming func takeCode() -> ActivationCode { code }
}

package enum IssueResult: ~Copyable, Sendable {
    case issued(IssuedActivation)
    /// The same call issued it before.
    case repeated(ActivationID)
    case refused(Refusal)

    package enum Refusal: Error {
        case unknownAccount
        /// Another account replaced this one.
        case accountReplaced
        case testAccountForbidden
        /// The policy does not allow web devices.
        case webDevicesForbidden
        /// The idempotency key was used for a different call.
        case keyReused
    }
}

/// The result of the first activation step.
package enum ClaimResult: Equatable, Sendable {
    case offered(ActivationOffer, mac: Digest)
    case refused(Activation.Refusal)
}

extension Verifier {
    /// Issues an activation, for an app or a web browser, and revokes the open one.
    package func issueActivation(
        for account: AccountReference,
        isWeb: Bool = false,
        call: BankCall? = nil,
        by author: ChangeAuthor
    ) async throws(Failure) -> IssueResult {
        let id = try translatingSystemFailure(ActivationID.random(), to: Failure.system)
        let code = try translatingSystemFailure(ActivationCode.random(), to: Failure.system)
        let text = try translatingSystemFailure(code.text(), to: Failure.system)
        let sealed = try text.withBytes { text throws(Failure) in
            try seal(text, for: .code(of: id, for: account))
        }
        let outcome = try await change(by: author) {
            [policies] context throws(StoreFailure) -> Result<ActivationID, IssueResult.Refusal> in
            switch try context.ledger.earlier(call) {
            case .repeated(.activation(let id)): return .success(id)
            case .repeated, .keyReused: return .failure(.keyReused)
            case nil: break
            }
            guard let found = try context.ledger.account(account) else {
                return .failure(.unknownAccount)
            }
            guard found.replacedBy == nil else { return .failure(.accountReplaced) }
            let policy = try policies.policy(of: account.enterprise, context.ledger)
            guard policy.allows(found) else { return .failure(.testAccountForbidden) }
            guard policy.allowsDevice(isWeb: isWeb) else { return .failure(.webDevicesForbidden) }
            for open in try context.ledger.openActivations(of: account) {
                try context.close(open, as: .revoked)
            }
            let activation = Activation(
                id: id,
                account: account,
                isWeb: isWeb,
                issued: context.now,
                deadline: context.now + policy.activationLifetime,
                state: .open(code: sealed, claim: nil)
            )
            try context.ledger.add(activation)
            let kind = isWeb ? Event.webMark : ""
            context.events.append(Event(.activationIssued, of: id, in: account, detail: kind))
            try context.ledger.keep(.activation(id), of: call, at: context.now)
            return .success(id)
        }
        // The store's task returns an id, because the code must not be copied into it.
        switch outcome {
        case .success(let made) where made == id:
            return .issued(IssuedActivation(id: id, code: code))
        case .success(let earlier): return .repeated(earlier)
        case .failure(let refusal): return .refused(refusal)
        }
    }

    /// The first step: the device proves that it knows the code, and gets the offer.
    package func claim(_ submitted: SubmittedClaim) async throws(Failure) -> ClaimResult {
        let id = submitted.claim.activation
        let found = try await openCode(of: id)
        let digest = try digest(of: submitted)
        guard let session = try await session(of: submitted, found.code) else {
            try note(submitted, of: found.activation)
            return .refused(.codeInvalid)
        }
        let credentials = try translatingSystemFailure(
            (0..<2 * ActivationOffer.maximumEnrolments).map { _ throws(CryptographyFailure) in
                try CredentialID.random()
            },
            to: Failure.system
        )
        let outcome = try await change(by: .verifier) {
            [policies] context throws(StoreFailure) -> Result<ActivationOffer, Activation.Refusal>
            in
            guard let old = try context.ledger.activation(id) else { return .failure(.codeInvalid) }
            guard
                try !context.ledger.isReplaced(old.account), try !context.ledger.isFollowed(old)
            else { return .failure(.codeInvalid) }
            var activation = old
            let policy = try policies.policy(of: old.account.enterprise, context.ledger)
            guard policy.allowsDevice(isWeb: old.isWeb) else { return .failure(.codeInvalid) }
            let new = try context.offer(for: activation, credentials, policy)
            let result = activation.claim(
                Activation.Claim(digest: digest, offer: new.bytes),
                at: context.now,
                events: &context.events
            )
            if case .refused(let refusal) = result { return .failure(refusal) }
            guard
                let claim = activation.claim, let offer = ActivationOffer(claim.offer)
            else { throw .damaged }
            try context.ledger.save(activation)
            return .success(offer)
        }
        switch outcome {
        case .failure(let refusal): return .refused(refusal)
        case .success(let offer):
            return .offered(offer, mac: try enrolment(session, offer).offerMAC)
        }
    }

    /// Counts a wrong code.
    ///
    /// An app with a former agreement key did not send one.
    func note(_ submitted: SubmittedClaim, of activation: Activation?) throws(Failure) {
        guard try agreementKey(named: submitted.claim.serverKey) != nil else { return }
        wrongCodes.note(activation)
    }

    /// Nil if the proof is wrong, or for a key that this verifier does not have.
    func session(
        of submitted: SubmittedClaim,
        _ code: borrowing ActivationCode
    ) async throws(Failure) -> ActivationSession? {
        guard let server = try agreementKey(named: submitted.claim.serverKey) else { return nil }
        do throws(CryptographyFailure) {
            return try await server.withoutBlocking { server throws(CryptographyFailure) in
                try ActivationSession.verify(submitted, server: server, code: code)
            }
        } catch {
            throw .system(SystemFailure(error))
        }
    }

    func enrolment(
        _ session: consuming ActivationSession,
        _ offer: ActivationOffer
    ) throws(Failure) -> EnrolmentSession {
        do throws(CryptographyFailure) {
            return try session.offering(offer)
        } catch {
            throw .system(SystemFailure(error))
        }
    }

    func digest(of submitted: SubmittedClaim) throws(Failure) -> [UInt8] {
        try translatingSystemFailure(submitted.digest().array, to: Failure.system)
    }
}

extension ChangeContext {
    mutating func close(_ id: ActivationID, as outcome: Activation.Outcome) throws(StoreFailure) {
        guard let old = try ledger.activation(id) else { return }
        var new = old
        guard new.close(as: outcome, at: now, events: &events) else { return }
        try ledger.save(new)
    }

    /// The account of the activation and, if the policy allows it, its linked accounts.
    fileprivate func offer(
        for activation: Activation,
        _ credentials: [CredentialID],
        _ policy: EnterprisePolicy
    ) throws(StoreFailure) -> ActivationOffer {
        let reference = activation.account
        guard let account = try ledger.account(reference) else { throw .damaged }
        let linked = policy.linksAccounts ? try ledger.linkedAccounts(of: account) : []
        let keys = [reference.key] + linked.filter { $0 != reference.key }
        let enrolments = keys.prefix(ActivationOffer.maximumEnrolments).enumerated().map {
            ActivationOffer.Enrolment(
                account: $0.element,
                userCredential: credentials[2 * $0.offset],
                deviceCredential: credentials[2 * $0.offset + 1]
            )
        }
        guard
            let offer = ActivationOffer(
                enterprise: reference.enterprise,
                epoch: epoch,
                policy: policy.forDevice(isWeb: activation.isWeb).bytes,
                enrolments: enrolments
            )
        else { throw .damaged }
        return offer
    }
}
