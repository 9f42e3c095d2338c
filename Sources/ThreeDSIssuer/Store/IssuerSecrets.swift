package import Cryptography
package import Sealing
package import Storage
package import ThreeDSProtocol
import Transactions

/// The random keys in the store, each sealed under a key outside of it.
///
/// They stay the same when the encryption key is replaced: fingerprints of cards and values that were
/// sent must stay valid.
package struct IssuerSecrets: Sendable {
    private let secrets: [Name: Secret]
    /// The number of the key for new authentication values.
    let newestValueKey: UInt8

    private enum Name: Hashable {
        case cards, records, requests, forms
        case values(UInt8)

        var text: String {
            switch self {
            case .cards: "cards"
            case .records: "records"
            case .requests: "requests"
            case .forms: "forms"
            case .values(let number): "values.\(number)"
            }
        }

        init?(_ text: String) {
            switch text {
            case "cards": self = .cards
            case "records": self = .records
            case "requests": self = .requests
            case "forms": self = .forms
            default:
                guard text.hasPrefix("values."), let number = UInt8(text.dropFirst(7)) else {
                    return nil
                }
                self = .values(number)
            }
        }
    }

    private final class Secret: Sendable {
        let bytes: SecureBytes
        init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
    }

    /// The key for fingerprints of cards.
    package func cardKey() throws(CryptographyFailure) -> CardFingerprint.Key {
        try CardFingerprint.Key(secret(.cards).bytes)
    }

    /// The key for the MACs of records.
    func recordKey() throws(CryptographyFailure) -> HMAC {
        try HMAC(.sha256, key: secret(.records).bytes)
    }

    /// A keyed hash: an AReq contains a card number, which could be guessed from another hash.
    func digest(ofRequest body: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        try HMAC(.sha256, key: secret(.requests).bytes).authenticate(body.span).array
    }

    /// A keyed hash of an account, by which the store finds its cards.
    func digest(of account: CardAccount) throws(CryptographyFailure) -> [UInt8] {
        var writer = FieldWriter()
        writer.append("account of cards")
        writer.append(account.description)
        return try digest(ofRequest: writer.bytes)
    }

    /// A keyed hash: a call contains an authentication value.
    func digest(ofCall content: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        var writer = FieldWriter(reserving: content.count + 64)
        writer.append("call of the issuer")
        writer.append(content)
        return try digest(ofRequest: writer.bytes)
    }

    /// The token of the forms on a page, which another website cannot know.
    func formToken(of handle: PageHandle) throws(CryptographyFailure) -> Digest {
        try HMAC(.sha256, key: secret(.forms).bytes).authenticate(Array(handle.text.utf8).span)
    }

    func hasValueKey(_ number: UInt8) -> Bool { secrets[.values(number)] != nil }

    /// Throws if another program removed the key.
    func requireValueKey(_ number: UInt8) throws(StoreFailure) {
        guard hasValueKey(number) else {
            throw .forged(row: IssuerRecord.Subject.valueKey(number).name)
        }
    }

    /// For a record of the key; nil if there is no such key.
    func fingerprint(ofValueKey number: UInt8) throws(StoreFailure) -> String? {
        guard let secret = secrets[.values(number)] else { return nil }
        let content = Array("fingerprint of a key for values".utf8)
        let digest = try orStoreFailure(
            HMAC(.sha256, key: secret.bytes).authenticate(content.span)
        )
        return TextEncoding.hexadecimal.encode(digest.array.span)
    }

    /// Lends the key of authentication values that has a number.
    func withValueKey<Outcome>(
        _ number: UInt8,
        _ body: (borrowing AuthenticationValue.Key) throws(CryptographyFailure) -> Outcome
    ) throws(CryptographyFailure) -> Outcome {
        try body(AuthenticationValue.Key(number: number, secret(.values(number)).bytes))
    }

    private func secret(_ name: Name) throws(CryptographyFailure) -> Secret {
        // `init` has found all but those of values.
        guard let secret = secrets[name] else { throw .invalidArgument }
        return secret
    }
}

// MARK: Store

extension IssuerSecrets {
    private static let byteCount = 32

    /// Makes the keys of a new store.
    package static func create(
        in connection: any SQLConnection,
        under keys: KeyRing
    ) throws(StoreFailure) {
        for name in [Name.cards, .records, .requests, .forms, .values(1)] {
            try add(name, in: connection, under: keys)
        }
    }

    /// Adds a key for the authentication values from now on, and returns it with all others.
    ///
    /// `recorded` is the newest one with a record. If it was removed, its number would be the one of
    /// another key.
    static func addValueKey(
        after recorded: UInt8,
        in connection: any SQLConnection,
        under keys: KeyRing
    ) throws(StoreFailure) -> IssuerSecrets {
        let newest = try IssuerSecrets(from: connection, under: keys).newestValueKey
        guard newest >= recorded else {
            throw .forged(row: IssuerRecord.Subject.valueKey(recorded).name)
        }
        guard newest < .max else { throw .full }
        try RowSeal(keys: keys).checkNewestKey(on: connection)
        try add(.values(newest + 1), in: connection, under: keys)
        return try IssuerSecrets(from: connection, under: keys)
    }

    /// Reads all keys.
    package init(
        from connection: any SQLConnection,
        under keys: KeyRing
    ) throws(StoreFailure) {
        let secrets = try Self.opened(connection.rows(.secrets, []), by: RowSeal(keys: keys))
        let numbers = secrets.keys.compactMap { name -> UInt8? in
            if case .values(let number) = name { number } else { nil }
        }
        guard [.cards, .records, .requests, .forms].allSatisfy({ secrets[$0] != nil }),
            let newest = numbers.max()
        else { throw .damaged }
        // Each key is added after all others, and none is removed.
        if let missing = (1...newest).first(where: { secrets[.values($0)] == nil }) {
            throw .forged(row: IssuerRecord.Subject.valueKey(missing).name)
        }
        self.secrets = secrets
        newestValueKey = newest
    }

    /// If no row opens, the keys are those of another store; otherwise another program wrote the row.
    private static func opened(
        _ rows: [Row],
        by seal: RowSeal
    ) throws(StoreFailure) -> [Name: Secret] {
        var (secrets, forgery): ([Name: Secret], StoreFailure?) = ([:], nil)
        for row in rows {
            let text = try row.text(.name)
            guard let name = Name(text) else { throw .damaged }
            do throws(StoreFailure) {
                secrets[name] = Secret(try seal.opened(row[.sealed], of: .secret(text)))
            } catch {
                guard error.isForgery else { throw error }
                forgery = forgery ?? error
            }
        }
        if let forgery { throw secrets.isEmpty ? .otherKeys : forgery }
        return secrets
    }

    private static func add(
        _ name: Name,
        in connection: any SQLConnection,
        under keys: KeyRing
    ) throws(StoreFailure) {
        let bytes = try orStoreFailure(SecureBytes.random(count: byteCount))
        let sealed = try bytes.withBytes { bytes throws(StoreFailure) in
            try RowSeal(keys: keys).sealed(bytes, for: .secret(name.text))
        }
        try connection.change(Table.secrets.insertion, [.name: .text(name.text), .sealed: sealed])
    }
}

extension Statement {
    fileprivate static let secrets = Statement("SELECT \(Table.secrets.columns) FROM secrets")
}
