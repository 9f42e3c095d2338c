import PrivateFiles
package import Sealing
package import Storage
import ThreeDSProtocol
package import Transactions

/// The store of an ACS: tables whose contents are sealed.
package struct IssuerStore: Sendable {
    package let database: any Database
    let seal: RowSeal
    private let known: LockedValue<IssuerSecrets>

    /// Opens a store that `complete` has filled.
    package init(_ database: any Database, under keys: KeyRing) async throws(StoreFailure) {
        self.database = database
        seal = RowSeal(keys: keys)
        known = LockedValue(try await Self.secrets(in: database, under: keys))
    }

    package var secrets: IssuerSecrets { known.withLock { $0 } }

    /// Reads the keys again if another process has added this one.
    func knowValueKey(_ number: UInt8) async throws(StoreFailure) {
        guard !secrets.hasValueKey(number) else { return }
        let secrets = try await Self.secrets(in: database, under: seal.keys)
        known.withLock { $0 = secrets }
    }

    static func secrets(
        in database: any Database,
        under keys: KeyRing
    ) async throws(StoreFailure) -> IssuerSecrets {
        try await database.read { connection throws(StoreFailure) in
            try IssuerSecrets(from: connection, under: keys)
        }
    }

    /// Makes the keys in empty tables, and checks those of a store that has them.
    package static func complete(
        _ database: any Database,
        under keys: KeyRing
    ) async throws(StoreFailure) {
        try await database.write { connection throws(StoreFailure) in
            if try IssuerSchema.isEmpty(connection) {
                try IssuerSecrets.create(in: connection, under: keys)
            } else {
                _ = try IssuerSecrets(from: connection, under: keys)
            }
        }
    }

    /// Whether the store can be read now, and written with the keys of this process.
    package var readiness: StoreReadiness {
        get async {
            do throws(StoreFailure) {
                return try await database.read { [seal] connection throws(StoreFailure) in
                    guard try !IssuerSchema.isEmpty(connection) else { return .unavailable }
                    try seal.checkNewestKey(on: connection)
                    return .ready
                }
            } catch {
                if case .outdatedKey = error.reason { return .outdatedKey }
                return .unavailable
            }
        }
    }

    /// The value of the column for the key of a secure channel.
    func sealed(_ key: borrowing ChannelKey, of id: String) throws(StoreFailure) -> SQLValue {
        try key.withBytes { bytes throws(StoreFailure) in
            try seal.sealed(bytes, for: .channelKey(of: id))
        }
    }

    /// Adds a key for authentication values, and returns its number.
    package func addValueKey(at now: Timestamp) async throws(StoreFailure) -> UInt8 {
        let recorded = try await newestRecordedValueKey() ?? 0
        return try await database.write { [self] connection throws(StoreFailure) in
            let added = try IssuerSecrets.addValueKey(
                after: recorded,
                in: connection,
                under: seal.keys
            )
            let number = added.newestValueKey
            let fingerprint = try added.fingerprint(ofValueKey: number)
            let record = IssuerRecord(
                time: now,
                subject: .valueKey(number),
                step: .valueKeyAdded,
                details: [fingerprint].compactMap(\.self)
            )
            try records(connection).add(record)
            return number
        }
    }

    package func cards(_ connection: any SQLConnection) -> CardTable {
        CardTable(connection: connection, seal: seal, secrets: secrets)
    }

    func authentications(_ connection: any SQLConnection) -> AuthenticationTable {
        AuthenticationTable(connection: connection, seal: seal)
    }

    func checks(_ connection: any SQLConnection) -> CheckTable {
        CheckTable(connection: connection, seal: seal, secrets: secrets)
    }

    func events(_ connection: any SQLConnection) -> EventTable {
        EventTable(connection: connection, seal: seal)
    }

    /// The number of events that are no longer sent, and that of rows which cannot be read.
    package func givenUpEvents(
        _ connection: any SQLConnection
    ) throws(StoreFailure) -> (events: Int, unreadable: Int) {
        try events(connection).givenUpCounts()
    }

    package func challenges(_ connection: any SQLConnection) -> ChallengeTable {
        ChallengeTable(table: authentications(connection))
    }

    package func records(_ connection: any SQLConnection) -> RecordTable {
        RecordTable(connection: connection, secrets: secrets)
    }
}

/// Whether a node can use its store, as its health check reports it.
package enum StoreReadiness: String, Sendable {
    case ready
    case unavailable = "store.unavailable"
    /// A rotation on another node added a key that this one lacks.
    case outdatedKey = "store.outdatedKey"
}
