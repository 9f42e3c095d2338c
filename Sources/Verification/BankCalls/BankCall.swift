import Cryptography
package import TransactionApproval

/// One call of the bank under a name of its own: sent again, it has the effect that it had.
///
/// What it asks for may hold a code, so its fingerprint is a MAC: nobody who reads the database can
/// test a code with it.
package struct BankCall: Equatable, Sendable {
    package let enterprise: EnterpriseID
    package let key: IdempotencyKey
    let fingerprint: [UInt8]
}

package struct IdempotencyKey: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}

/// What came of a call, of which the rest is in the store.
package enum CallOutcome: Equatable, Sendable {
    case activation(ActivationID)
    case transaction(TransactionID)
    /// The login was redeemed.
    case login(TransactionID)
    /// A typed code was right or wrong.
    case judged(AttemptVerdict)
}

/// What there is to say to a call whose name came before.
enum EarlierCall: Equatable, Sendable {
    case told(CallOutcome)
    /// The bank meant something else by that name.
    case keyReused
}

extension Verifier {
    /// Names a call that asks for `content`, of whatever was sent all that matters.
    package func call(
        _ key: IdempotencyKey,
        in enterprise: EnterpriseID,
        for content: [UInt8]
    ) async throws(Failure) -> BankCall {
        let fingerprintKey = try await fingerprintKey()
        let fingerprint = try onThisMachine { () throws(CryptographyFailure) in
            try fingerprintKey.fingerprint(of: content)
        }
        return BankCall(enterprise: enterprise, key: key, fingerprint: fingerprint)
    }
}

extension CallOutcome {
    /// One line of words that a store keeps.
    var stored: String {
        switch self {
        case .activation(let id): "activation \(id)"
        case .transaction(let id): "transaction \(id)"
        case .login(let id): "login \(id)"
        case .judged(let verdict): verdict.stored
        }
    }

    /// Nil where it is no line of ours.
    init?(stored: String) {
        let words = stored.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch (words[0], words.dropFirst().last) {
        case ("activation", let text?):
            guard let id = ActivationID(text) else { return nil }
            self = .activation(id)
        case ("transaction", let text?):
            guard let id = TransactionID(text) else { return nil }
            self = .transaction(id)
        case ("login", let text?):
            guard let id = TransactionID(text) else { return nil }
            self = .login(id)
        default:
            guard let verdict = AttemptVerdict(stored: stored) else { return nil }
            self = .judged(verdict)
        }
    }
}
