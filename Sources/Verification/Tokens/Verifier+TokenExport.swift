import Cryptography
import FailureTranslation
package import OneTimePassword
import Sealing
import Storage
package import TransactionApproval

/// A token as another system imports it.
package struct ExportedToken: Sendable {
    package let device: DeviceID
    package let account: AccountReference
    package let serial: String
    package let suite: TokenSuite
    package let secret: SecretBytes
    /// The first unused counter.
    package let counter: Counter
}

/// Only a token's secret can be exported: it came from outside and never proved the person. The
/// seed of an activated device stays here. Only the device and the verifier ever have it, so an
/// approval proves the device.
extension Verifier {
    /// Returns the secrets of usable tokens, and records the export on the audit trail.
    ///
    /// Two systems with the same token would accept one code twice, so the caller revokes the
    /// tokens here.
    package func exportTokens(
        of type: AccountType,
        in enterprise: EnterpriseID,
        limit: Int,
        by author: ChangeAuthor
    ) async throws(Failure) -> [ExportedToken] {
        let states = try await change(by: author) { context throws(StoreFailure) in
            let found = try context.ledger.countingTokens(
                of: type,
                in: enterprise,
                confirmedIn: context.epoch,
                limit: limit
            )
            context.events += found.map { state in
                let device = state.device
                return Event(.tokenExported, of: device.id, in: device.account, detail: device.name)
            }
            return found
        }
        var tokens: [ExportedToken] = []
        for state in states { tokens.append(try opened(state)) }
        return tokens
    }

    /// Revokes the exported tokens together.
    ///
    /// Returns false and revokes none if one was used or revoked meanwhile: the other system would
    /// accept its last code again.
    package func revokeTokens(
        _ tokens: [ExportedToken],
        by author: ChangeAuthor
    ) async throws(Failure) -> Bool {
        let exported = tokens.map { (device: $0.device, counter: $0.counter) }
        return try await change(by: author) { context throws(StoreFailure) in
            var revoked: [Device] = []
            var events: [Event] = []
            for token in exported {
                guard var state = try context.ledger.typedCredentialState(on: token.device) else {
                    throw .damaged
                }
                guard
                    state.credential.counter == token.counter,
                    state.device.revoke(events: &events)
                else { return false }
                revoked.append(state.device)
            }
            for device in revoked { try context.ledger.save(device) }
            context.events += events
            return true
        }
    }

    private func opened(_ state: CredentialState) throws(Failure) -> ExportedToken {
        guard case .token(let suite) = state.device.kind else { throw .sealedRecord(.notAuthentic) }
        let bytes = try openSecret(of: state)
        let secret = try bytes.withBytes { bytes throws(Failure) in
            try translating(SecretBytes(copying: bytes), to: Failure.init(_:))
        }
        return ExportedToken(
            device: state.device.id,
            account: state.device.account,
            serial: state.device.name,
            suite: suite,
            secret: secret,
            counter: state.credential.counter
        )
    }
}
