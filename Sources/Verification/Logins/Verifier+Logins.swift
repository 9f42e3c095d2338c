package import Cryptography
import FailureTranslation
import Storage
package import TransactionApproval

extension Verifier {
    /// Checks an app login over the digest that the bank's backend asked for; it creates a grant.
    package func logIn(
        over dataDigest: [UInt8],
        by type: AuthenticationType,
        _ attempt: Attempt
    ) async throws(Failure) -> AttemptResult {
        guard let digest = Digest(sha256: dataDigest) else { return .refused(.typeNotAllowed) }
        let fingerprint = try fingerprint { writer in
            writer.append("login")
            writer.append(dataDigest)
            writer.append(type.rawValue)
        }
        let id = try newTransactionID()
        return try await run(
            attempt,
            with: type.credentialKind,
            over: .login(digest),
            fingerprint: fingerprint
        ) { [policies] context, codes throws(StoreFailure) in
            let account = context.credential.device.account
            let policy = try policies.policy(of: account.enterprise, context.ledger)
            guard
                policy.authentication.contains(type),
                policy.allowsDevice(isWeb: context.credential.device.isWeb)
            else { return .refused(.typeNotAllowed) }
            let result = try translating(
                context.credential.logIn(
                    attempt.code,
                    over: digest,
                    with: codes,
                    in: context.conditions,
                    events: &context.events
                ),
                to: StoreFailure.system
            )
            guard result.isAccepted else { return AttemptResult(result) }
            try context.ledger.add(
                LoginGrant(
                    id: id,
                    account: account,
                    device: attempt.device,
                    type: type,
                    dataDigest: dataDigest,
                    granted: context.conditions.now
                )
            )
            return .accepted(id)
        }
    }

    /// Checks the PIN and changes nothing else.
    package func checkPIN(
        _ attempt: Attempt,
        for claim: Digest? = nil
    ) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint(ofPINCheckFor: claim)
        return try await run(
            attempt,
            with: .user,
            over: .pinCheck,
            fingerprint: fingerprint
        ) { context, codes throws(StoreFailure) in
            let result = try translating(
                context.credential.checkPIN(
                    attempt.code,
                    with: codes,
                    in: context.conditions,
                    events: &context.events
                ),
                to: StoreFailure.system
            )
            return AttemptResult(result)
        }
    }

    /// Binds an accepted PIN check to the claim of one activation.
    func fingerprint(ofPINCheckFor claim: Digest?) throws(Failure) -> [UInt8] {
        try fingerprint { writer in
            writer.append("pin-check")
            if let claim { writer.append(claim) }
        }
    }

    /// Redeems a login for the bank's backend, once.
    package func redeemLogin(
        _ id: TransactionID,
        of account: AccountReference,
        over dataDigest: [UInt8],
        call: BankCall? = nil,
        by author: ChangeAuthor
    ) async throws(Failure) -> RedemptionResult {
        return try await change(by: author) { [policies] context throws(StoreFailure) in
            switch try context.ledger.earlier(call) {
            case .repeated(.login(id)):
                return try context.ledger.login(id).map { .repeated($0) } ?? .unknown
            case .repeated, .keyReused: return .keyReused
            case nil: break
            }
            guard
                let old = try context.ledger.login(id), old.account == account,
                try !context.ledger.isReplaced(account)
            else { return .unknown }
            guard try policies.allows(account, context.ledger) else {
                return .testAccountForbidden
            }
            var grant = old
            let result = grant.redeem(
                over: dataDigest,
                of: try context.ledger.device(old.device),
                at: context.now,
                events: &context.events
            )
            if case .refused(let refusal) = result { return .refused(refusal) }
            try context.ledger.save(grant)
            try context.ledger.keep(.login(id), of: call, at: context.now)
            return .redeemed(grant)
        }
    }
}

package enum RedemptionResult: Equatable, Sendable {
    case redeemed(LoginGrant)
    /// By an earlier call with the same idempotency key.
    case repeated(LoginGrant)
    case refused(LoginGrant.Refusal)
    case unknown
    case testAccountForbidden
    /// The idempotency key was used for a different call.
    case keyReused
}
