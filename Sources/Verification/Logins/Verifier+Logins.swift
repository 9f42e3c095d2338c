import Cryptography
import OneTimePassword
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
        let policies = policies
        return try await run(
            attempt,
            with: type.credentialKind,
            asking: { _, _ in .login(digest) },
            fingerprint: fingerprint
        ) { scene, codes throws(StoreFailure) in
            let account = scene.credential.device.account
            let policy = try policies.policy(of: account.enterprise, scene.ledger)
            guard policy.authentication.contains(type) else { return .refused(.typeNotAllowed) }
            let refusal = try scene.onThisMachine { scene throws(SystemFailure) in
                try scene.credential.logIn(
                    attempt.code,
                    over: digest,
                    with: codes.inBand,
                    in: scene.circumstances,
                    events: &scene.events
                )
            }
            if let refusal { return .refused(refusal) }
            try scene.ledger.add(
                LoginGrant(
                    id: id,
                    account: account,
                    device: attempt.device,
                    type: type,
                    dataDigest: dataDigest,
                    granted: scene.circumstances.now
                )
            )
            return .accepted(id)
        }
    }

    /// Checks the PIN and changes nothing else.
    package func checkPIN(_ attempt: Attempt) async throws(Failure) -> AttemptResult {
        let fingerprint = try fingerprint { $0.append("pin-check") }
        return try await run(
            attempt,
            with: .user,
            asking: { _, _ in .pinCheck },
            fingerprint: fingerprint
        ) { scene, codes throws(StoreFailure) in
            let refusal = try scene.onThisMachine { scene throws(SystemFailure) in
                try scene.credential.checkPIN(
                    attempt.code,
                    with: codes.inBand,
                    in: scene.circumstances,
                    events: &scene.events
                )
            }
            return refusal.map { .refused($0) } ?? .accepted(nil)
        }
    }

    /// Redeems a login for the bank's backend, once.
    package func redeemLogin(
        _ id: TransactionID,
        of account: AccountReference,
        over dataDigest: [UInt8],
        call: BankCall? = nil,
        by actor: Actor
    ) async throws(Failure) -> LoginRedemption {
        try await change(by: actor) { scene throws(StoreFailure) in
            switch try scene.ledger.earlier(call) {
            case .told(.login(id)):
                return try scene.ledger.login(id).map { .redeemed($0) } ?? .unknown
            case .told, .keyReused: return .keyReused
            case nil: break
            }
            guard let old = try scene.ledger.login(id), old.account == account else {
                return .unknown
            }
            var grant = old
            let refusal = grant.redeem(
                over: dataDigest,
                of: try scene.ledger.device(old.device),
                at: scene.now,
                events: &scene.events
            )
            if let refusal { return .refused(refusal) }
            try scene.ledger.save(grant, replacing: old)
            try scene.ledger.keep(.login(id), of: call, at: scene.now)
            return .redeemed(grant)
        }
    }
}

package enum LoginRedemption: Equatable, Sendable {
    case redeemed(LoginGrant)
    case refused(LoginGrant.Refusal)
    case unknown
    /// The idempotency key was used for a different call.
    case keyReused
}
