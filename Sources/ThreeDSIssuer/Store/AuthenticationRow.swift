import Cryptography
import Storage
import ThreeDSProtocol
import Transactions

/// The row of a challenge as a step found it.
struct ChallengeRow: Sendable {
    let authentication: Authentication
    /// `AuthenticationTable.boundColumns`.
    let columns: [SQLValue]
    /// Each write makes another one, because it has a random part.
    let content: SQLValue
    let sealedKey: SQLValue
}

/// The row of an authentication that is not stored yet.
struct NewAuthentication: Sendable {
    let values: NamedValues
    /// The row of its ARes.
    let response: NamedValues
}

extension RowSeal {
    /// The row of an authentication with its ARes.
    func row(
        of authentication: Authentication,
        sealedKey: SQLValue,
        response: StoredResponse
    ) throws(StoreFailure) -> NewAuthentication {
        var values = try values(of: authentication)
        values.append(.sealedKey, sealedKey)
        let id = authentication.id
        let sealed = try sealed(response.bytes.span, for: .response(id))
        return NewAuthentication(
            values: values,
            response: [
                .authentication: .text(id), .made: .integer(authentication.made.stored),
                .sealed: sealed,
            ]
        )
    }

    /// The new values of a row, apart from the columns that no step changes.
    func values(of authentication: Authentication) throws(StoreFailure) -> NamedValues {
        guard let directoryKey = authentication.directoryKey else { throw .misuse }
        let challenge = authentication.challenge
        let columns: [SQLValue] = [
            .text(directoryKey),
            .integer(authentication.made.stored),
            try challenge?.page().map { .text($0) } ?? .null,
            challenge?.awaited.map { .text($0.text) } ?? .null,
            challenge?.due.map { .integer($0.stored) } ?? .null,
            challenge?.resultDue.map { .integer($0.stored) } ?? .null,
            authentication.live.map { .text($0.text) } ?? .null,
            challenge?.callDue.map { .integer($0.stored) } ?? .null,
        ]
        let identity = RowIdentity.authentication(authentication.id, columns)
        let content = authentication.encoded
        var values: NamedValues = [
            .id: .text(authentication.id), .sealed: try sealed(content.span, for: identity),
        ]
        for (column, value) in zip(AuthenticationTable.boundColumns, columns) {
            values.append(column, value)
        }
        return values
    }

    /// Nil if it was erased, or never existed.
    func channelKey(in row: ChallengeRow) throws(StoreFailure) -> ChannelKey? {
        guard row.sealedKey != .null else { return nil }
        let bytes = try opened(row.sealedKey, of: .channelKey(of: row.authentication.id))
        do throws(ChannelFailure) {
            return try ChannelKey(restoring: bytes)
        } catch {
            throw .damaged
        }
    }
}

extension StoredChallenge {
    fileprivate func page() throws(StoreFailure) -> String? {
        guard case .browser(let session) = party else { return nil }
        return try session.handle.stored()
    }
}

extension PageHandle {
    /// A hash: a reader of the store cannot open the page.
    func stored() throws(StoreFailure) -> String {
        let digest = try orStoreFailure(HashAlgorithm.sha256.digest(of: Array(text.utf8).span))
        return digest.withBytes { TextEncoding.base64URL.encode($0) }
    }
}

extension Authentication {
    /// The card of a challenge without a result.
    fileprivate var live: CardReference? {
        switch challenge?.progress.state {
        case .promised, .asked, .unanswered, .withdrawing: card
        case .decided, .reported, .ended, nil: nil
        }
    }
}
