import CommandLineTool
import Sealing
import Storage
import ThreeDSIssuer
import ThreeDSProtocol

/// The parts of one ACS, which commands open when they need them.
struct Installation: Sendable {
    let configuration: Configuration
    let store: Configuration.Store

    /// With the store of the configuration, or with a copy of it.
    init(configuration: Configuration, store: Configuration.Store? = nil) {
        self.configuration = configuration
        self.store = store ?? configuration.store
    }

    /// Closes the store after `body`, also if it throws.
    ///
    /// Without `preparesStore` it neither checks the whole file nor migrates it: a running ACS has
    /// checked it, and can be of an older release.
    func withStore<Outcome>(
        under openedKeys: KeyRing? = nil,
        preparesStore: Bool = false,
        checksWholeFile: Bool = false,
        _ body: (IssuerStore) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let keys = if let openedKeys { openedKeys } else { try keys() }
        let database = try await onStore {
            () throws(StoreFailure) in
            try store.opened(prepares: preparesStore, checksWholeFile: checksWholeFile)
        }
        do throws(CommandFailure) {
            let opened = try await onStore { () async throws(StoreFailure) in
                try await IssuerStore(database, under: keys)
            }
            let outcome = try await body(opened)
            await database.close()
            return outcome
        } catch {
            await database.close()
            throw error
        }
    }

    /// Makes an empty store, or completes one whose creation was interrupted.
    ///
    /// Returns whether its tables are new.
    func createStore() async throws(CommandFailure) -> Bool {
        let keys = try keys()
        return try await onStore { () async throws(StoreFailure) in
            let isNew = try store.create()
            let database = try store.opened(prepares: isNew)
            do throws(StoreFailure) {
                try await IssuerStore.complete(database, under: keys)
                await database.close()
                return isNew
            } catch {
                await database.close()
                throw error
            }
        }
    }

    /// Whether the database has our tables: without them, it can become a store.
    func hasTables() async throws(CommandFailure) -> Bool {
        do throws(StoreFailure) {
            await (try store.opened(prepares: false)).close()
            return true
        } catch {
            switch error.reason {
            case .foreign, .missing: return false
            case .older: return true
            default: throw CommandFailure(error, of: store.place)
            }
        }
    }

    func onStore<Outcome>(
        _ body: () async throws(StoreFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        do throws(StoreFailure) {
            return try await body()
        } catch {
            throw CommandFailure(error, of: store.place)
        }
    }

    /// The keys for the contents of the store.
    func keys() throws(CommandFailure) -> KeyRing {
        let keys = configuration.encryptionKeys
        return KeyRing(try keys.opened(), readFrom: keys.file)
    }
}

extension Configuration.Store {
    fileprivate func opened(
        prepares: Bool,
        checksWholeFile: Bool = false
    ) throws(StoreFailure) -> any Database {
        let migrations = IssuerSchema.migrations
        return switch self {
        case .sqlite(let path):
            try SQLiteDatabase(
                path: path,
                migrations: migrations,
                migrates: prepares,
                checksWholeFile: prepares || checksWholeFile
            )
        case .postgreSQL(let connection):
            try PostgresDatabase(
                connection,
                migrations: migrations,
                migrates: prepares,
                timeout: Challenge.maximumResponseTime
            )
        }
    }

    /// Returns false if the store exists.
    fileprivate func create() throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            switch self {
            case .sqlite(let path):
                try SQLiteDatabase.create(path: path, migrations: IssuerSchema.migrations)
            case .postgreSQL(let connection):
                try PostgresDatabase.create(connection, migrations: IssuerSchema.migrations)
            }
            return true
        } catch {
            guard error.reason == .exists else { throw error }
            return false
        }
    }
}
