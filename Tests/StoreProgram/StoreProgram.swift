import CSQLite
import Glibc
import Storage
import Verification
import VerifierWorld

/// `StoreProgram JOB STORE [NUMBER]`: uses a store in its own process.
///
/// The store is a path or, for `count` and `migrate`, a connection string of PostgreSQL. For `decide`,
/// `exhaust` and `race` it is the premises of a bank: a folder and a store. The program prints one
/// line for each result, and the failure that ended it.
@main
struct StoreProgram {
    static func main() async {
        let arguments = CommandLine.arguments
        let number = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
        do {
            switch arguments[1] {
            case "count": try await count(in: arguments[2], callers: 16, times: number)
            case "fill": try await fill(arguments[2], limit: number)
            case "migrate":
                let migrations = longMigrations(rowCount: number)
                await (try StoreAddress(arguments[2]).open(migrations: migrations)).close()
            case "memory":
                let database = try SQLiteDatabase(path: arguments[2], migrations: tallyMigrations)
                writeLine("\(sqlite3_memory_used())")
                await database.close()
            case "backup":
                let database = try SQLiteDatabase(path: arguments[2], migrations: tallyMigrations)
                try await database.copy(for: arguments[2] + ".copy") { _ in }.finish()
            case "decide":
                let store = StoreAddress(arguments[3])
                try await decide(in: Premises(at: arguments[2], store: store))
            case "exhaust":
                try await exhaust(Premises(at: arguments[2], store: StoreAddress(arguments[3])))
            case "race":
                let store = StoreAddress(arguments[3])
                let tables = arguments.dropFirst(4)
                try await race(in: Premises(at: arguments[2], store: store), Array(tables))
            default: exit(64)
            }
        } catch {
            writeLine("\(error)")
            exit(1)
        }
    }

    /// Each caller increments its own row and prints each returned count.
    private static func count(
        in store: String,
        callers: Int,
        times: Int
    ) async throws(StoreFailure) {
        let database = try StoreAddress(store).open(migrations: tallyMigrations)
        await withTaskGroup { group in
            for caller in 0..<callers {
                group.addTask { await count(as: caller, in: database, times: times) }
            }
        }
        await database.close()
    }

    private static func count(as caller: Int, in database: any Database, times: Int) async {
        for _ in 0..<times {
            do throws(StoreFailure) {
                let count = try await database.write { connection throws(StoreFailure) in
                    try Tally.increment(Int64(caller), on: connection)
                }
                writeLine("\(caller) \(count)")
            } catch {
                writeLine("\(error)")
            }
        }
    }

    /// Writes until no space is left, and then prints the stored count.
    ///
    /// The limit is the maximum file size until the first failure. Afterwards it writes and prints
    /// again without the limit.
    private static func fill(_ path: String, limit: Int) async throws(StoreFailure) {
        let database = try SQLiteDatabase(path: path, migrations: tallyMigrations)
        signal(SIGXFSZ, SIG_IGN)
        if limit > 0 { limitFiles(to: limit) }
        var kept = 0
        do throws(StoreFailure) {
            while true {
                try await database.write { connection throws(StoreFailure) in
                    try Tally.enlarge(by: 100_000, on: connection)
                }
                kept += 1
            }
        } catch {
            writeLine("\(error)")
        }
        writeLine("kept \(kept)")
        writeLine("found \(try await database.read(Tally.blockCount))")
        if limit > 0 {
            limitFiles(to: nil)
            try await database.write { connection throws(StoreFailure) in
                try Tally.enlarge(by: 100_000, on: connection)
            }
            writeLine("found \(try await database.read(Tally.blockCount))")
        }
        await database.close()
    }

    private static func limitFiles(to byteCount: Int?) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = byteCount.map(UInt.init) ?? limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    /// Writes one line in one system call, so that a kill leaves no partial line.
    static func writeLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
