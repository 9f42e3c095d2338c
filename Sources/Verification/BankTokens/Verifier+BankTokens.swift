import Cryptography
package import Storage
import TransactionApproval

package enum BankTokenResult: ~Copyable, Sendable {
    /// The token's text, which cannot be read again.
    case made(BankTokenText)
    case refused(Refusal)

    package enum Refusal: Sendable {
        case unknownEnterprise, nameTaken
    }
}

extension Verifier {
    package func makeToken(
        named name: BankTokenName,
        for role: BankToken.Role,
        reaching reach: BankToken.Reach,
        lasting lifetime: Duration,
        by author: ChangeAuthor
    ) async throws(Failure) -> BankTokenResult {
        let text = try translatingSystemFailure(BankTokenText.random(), to: Failure.system)
        let digest = try translatingSystemFailure(text.secretDigest(), to: Failure.system)
        let id = text.id
        let result = try await change(by: author) {
            context throws(StoreFailure) -> RuleResult<BankTokenResult.Refusal> in
            if case .enterprise(let enterprise) = reach,
                try !context.ledger.hasEnterprise(enterprise)
            {
                return .refused(.unknownEnterprise)
            }
            guard try context.ledger.bankToken(named: name) == nil else {
                return .refused(.nameTaken)
            }
            let token = BankToken(
                id: id,
                secretDigest: digest,
                name: name,
                reach: reach,
                role: role,
                created: context.now,
                expiry: context.now + lifetime
            )
            try context.ledger.add(token)
            try context.recordCreation(of: token)
            return .accepted
        }
        return if let refusal = result.refusal { .refused(refusal) } else { .made(text) }
    }

    /// Returns false if there is no such token, or it was revoked before.
    package func revokeToken(
        named name: BankTokenName,
        by author: ChangeAuthor
    ) async throws(Failure) -> Bool {
        try await change(by: author) { context throws(StoreFailure) in
            guard let old = try context.ledger.bankToken(named: name) else { return false }
            var new = old
            guard new.revoke(at: context.now, events: &context.events) else { return false }
            try context.ledger.save(new)
            return true
        }
    }

    /// All tokens, and the failures of rows that another program wrote.
    package func tokens() async throws(Failure) -> (tokens: [BankToken], forged: [StoreFailure]) {
        try await readOutcomes { ledger throws(StoreFailure) in
            (try ledger.bankTokens(), ledger.recorded.skipped)
        }
    }

    /// The valid token with this text; nil if it is malformed, unknown, expired or revoked.
    ///
    /// Every case costs the same read and the same comparison (SEC-52).
    package func token(shown text: [UInt8]?) async throws(Failure) -> BankToken? {
        let shown = try translatingSystemFailure(
            BankTokenText.readOrRandom(text ?? []),
            to: Failure.system
        )
        let digest = try translatingSystemFailure(shown.secretDigest(), to: Failure.system)
        let id = shown.id
        let (found, now) = try await read(reading: [Ledger.query(of: id)]) {
            [clock] ledger throws(StoreFailure) in
            (try ledger.authenticToken(id), clock.now(in: try ledger.state()))
        }
        let isRight = digest == found?.secretDigest ?? .ofNothing
        guard let found, isRight, found.isGood(at: now) else { return nil }
        return found
    }
}

extension ChangeContext {
    /// One event for each enterprise that the token can access, so that each bank is notified.
    fileprivate mutating func recordCreation(of token: BankToken) throws(StoreFailure) {
        let enterprises =
            switch token.reach {
            case .enterprise(let enterprise): [enterprise]
            case .all: try ledger.enterprises()
            }
        let concerns: [EventConcern?] = enterprises.map { .enterprise($0) }
        for concern in concerns.isEmpty ? [nil] : concerns {
            events.append(
                Event(.bankTokenCreated, of: token.id, within: concern, detail: token.name.text)
            )
        }
    }
}

extension Ledger {
    /// A forged row is not a token.
    fileprivate func authenticToken(_ id: BankTokenID) throws(StoreFailure) -> BankToken? {
        do throws(StoreFailure) {
            return try bankToken(id)
        } catch {
            // Without the row's key, nothing shows whether it is forged.
            guard error.isForgery else { throw error }
            recorded.skipped.append(error)
            return nil
        }
    }
}

extension BankTokenText {
    /// A random token if the text is malformed.
    fileprivate static func readOrRandom(
        _ text: [UInt8]
    ) throws(CryptographyFailure) -> BankTokenText {
        guard let token = try read(text.span) else { return try random() }
        return token
    }
}

extension Digest {
    /// The digest of no secret.
    fileprivate static let ofNothing = Digest(copying: [UInt8](repeating: 0, count: 32).span)
}
