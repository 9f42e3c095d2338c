import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server of Debian's packages in a folder of its own, gone with the value or with this
/// process, however that ends.
package final class PostgresServer: Sendable {
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: program("initdb"))

    /// The one server of this test process, started when first needed; it is never cut from power.
    package static func shared() throws -> PostgresServer { try sharedServer.get() }

    private static let sharedServer = Result { try PostgresServer(syncs: false) }

    private static let programs = "/usr/lib/postgresql/15/bin/"
    /// Who runs the server, which refuses to run as root.
    private static let owner: (user: uid_t, group: gid_t)? = {
        guard geteuid() == 0 else { return nil }
        let entry = getpwnam("postgres") ?? getpwnam("nobody")
        return entry.map { ($0.pointee.pw_uid, $0.pointee.pw_gid) }
    }()

    /// Where its socket is.
    package let folder: String
    private let temporaryFolder: TemporaryFolder
    private let settings: [String]
    private let running = Mutex<Running?>(nil)

    /// A shell that ends the server and takes its folder away when its input ends, which it does
    /// with this process at the latest.
    private struct Running {
        let guardian: Process
        let input: FileHandle
        let hasEnded: DispatchSemaphore
    }

    private static func program(_ name: String) -> String { programs + name }

    /// One that wants a password over TCP.
    ///
    /// One that does not sync loses nothing either, but to a power cut.
    package convenience init(syncs: Bool = true, tcpPort: UInt16? = nil) throws {
        let quick = ["fsync=off", "full_page_writes=off", "autovacuum=off"]
        let settings = syncs ? [] : quick
        try self.init(settings: settings, tcpPort: tcpPort, inMemory: !syncs) { folder in
            let options = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
            let tcp = ["--auth-host=scram-sha-256"]
            return ["initdb", "--pgdata=\(folder)/data", "--username=bank"] + options + tcp
        }
    }

    /// A standby of `primary`, which copies what that one commits until it is promoted.
    package convenience init(following primary: PostgresServer) throws {
        try self.init(settings: []) { folder in
            let source = "host=\(primary.folder) user=bank application_name=standby"
            let options = ["--checkpoint=fast", "--no-sync", "--write-recovery-conf"]
            return ["pg_basebackup", "--pgdata=\(folder)/data", "--dbname=\(source)"] + options
        }
    }

    private init(
        settings: [String],
        tcpPort: UInt16? = nil,
        inMemory: Bool = false,
        filling: (String) -> [String]
    ) throws {
        let tcp = tcpPort.map { ["listen_addresses=127.0.0.1", "port=\($0)"] }
        self.settings = settings + (tcp ?? ["listen_addresses="])
        temporaryFolder = try TemporaryFolder(inMemory: inMemory)
        folder = temporaryFolder.path
        if let owner = Self.owner { chown(folder, owner.user, owner.group) }
        try Self.run(filling(folder))
        try start()
    }

    deinit {
        running.withLock { running in
            guard let running else { return }
            // It is closed when this process ends otherwise.
            try? running.input.close()
            // `waitUntilExit` may wait for ever on another thread than the one that ran it.
            running.hasEnded.wait()
        }
    }
}

extension PostgresServer {
    /// Returns when the server answers.
    package func start() throws {
        let guarding = """
            "$@" 2>&1 < /dev/null &
            exec > /dev/null
            cat
            kill -QUIT $!
            wait $!
            rm -rf "$0"
            """
        let server = [Self.program("postgres"), "-D", folder + "/data", "-k", folder]
        let settings = (settings + ["max_connections=300"]).flatMap { ["-c", $0] }
        let (input, output) = (Self.pipe(), Self.pipe())
        let guardian = Process()
        guardian.executableURL = URL(filePath: "/bin/sh")
        guardian.arguments = ["-c", guarding, folder] + Self.asOwner + server + settings
        guardian.standardInput = input.reading
        guardian.standardOutput = output.writing
        guardian.currentDirectoryURL = URL(filePath: folder)
        try guardian.run()
        try input.reading.close()
        try output.writing.close()
        let hasEnded = DispatchSemaphore(value: 0)
        try awaitReadiness(output.reading, hasEnded)
        running.withLock {
            $0 = Running(guardian: guardian, input: input.writing, hasEnded: hasEnded)
        }
    }

    /// A pipe that other processes of ours do not inherit: they would hold it open.
    private static func pipe() -> (reading: FileHandle, writing: FileHandle) {
        let pipe = Pipe()
        let ends = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
        _ = fcntl(ends.0.fileDescriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends.1.fileDescriptor, F_SETFD, FD_CLOEXEC)
        return ends
    }

    private func awaitReadiness(_ output: FileHandle, _ hasEnded: DispatchSemaphore) throws {
        var said = ""
        while !said.contains("ready to accept") {
            let more = output.availableData
            guard !more.isEmpty else { throw NotStarted(said: said) }
            said += String(decoding: more, as: UTF8.self)
        }
        // What it says later must not fill the pipe; it ends with the last of its processes.
        Foundation.Thread.detachNewThread {
            while !output.availableData.isEmpty {}
            hasEnded.signal()
        }
    }

    package struct NotStarted: Error {
        let said: String
    }

    /// Ends the server with all of its processes as a power cut would.
    package func kill() throws {
        let processes = try [processID] + children()
        running.withLock { running in
            guard let ended = running else { return }
            for process in [ended.guardian.processIdentifier] + processes {
                Glibc.kill(process, SIGKILL)
            }
            ended.hasEnded.wait()
            // Nobody may have taken note yet that the process which it names has ended.
            for lock in ["data/postmaster.pid", ".s.PGSQL.5432.lock"] {
                unlink(folder + "/" + lock)
            }
            running = nil
        }
    }

    /// Stops the server with all of its processes where they are: it still takes connections, and
    /// answers nobody.
    package func pause() throws { try signal(SIGSTOP) }

    package func resume() throws { try signal(SIGCONT) }

    private func signal(_ number: Int32) throws {
        for process in [try processID] + (try children()) { Glibc.kill(process, number) }
    }

    private var processID: pid_t {
        get throws {
            let lines = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
                .split(separator: "\n")
            return pid_t(lines[0]) ?? 0
        }
    }

    private func children() throws -> [pid_t] {
        let server = try processID
        return try String(
            contentsOfFile: "/proc/\(server)/task/\(server)/children",
            encoding: .utf8
        ).split(separator: " ").compactMap { pid_t($0) }
    }

    /// Makes a standby the one that takes writes.
    package func promote() throws {
        guard try query("SELECT pg_promote()") == "t" else { throw NotStarted(said: "no standby") }
    }

    /// Ends one session's process, upon which the server ends all sessions and recovers.
    package func killSession(of database: String) throws {
        let session = try query(
            "SELECT pid FROM pg_stat_activity WHERE datname = '\(database)' LIMIT 1"
        )
        if let process = pid_t(session) { Glibc.kill(process, SIGKILL) }
    }
}

extension PostgresServer {
    /// Makes a database and gives the connection string to it; empty, or as a `template` that nobody
    /// has open.
    package func makeDatabase(copying template: String? = nil) throws -> String {
        let address = "host=\(folder) user=bank dbname="
        let name = "bank_" + UUID().uuidString.lowercased().prefix(8)
        let source = template.map { " TEMPLATE " + $0.trimmingPrefix(address) } ?? ""
        _ = try query("CREATE DATABASE \(name)\(source)")
        return address + name
    }

    /// What psql says to a statement.
    package func query(
        _ statement: String,
        in database: String = "postgres",
        port: UInt16 = 5432
    ) throws -> String {
        try Self.psql(
            ["--command=\(statement)"],
            in: "host=\(folder) port=\(port) user=bank dbname=\(database)"
        )
    }

    /// The statements that make a database what it is, while others use it.
    package static func dump(of database: String) throws -> String {
        let process = try FinishedProcess.run(program("pg_dump"), ["--dbname=\(database)"])
        guard process.exitCode == 0 else { throw NotStarted(said: process.errorOutput) }
        return process.output
    }

    /// What psql says to its own options, with a connection string for the database.
    package static func psql(_ options: [String], in database: String) throws -> String {
        let common = ["--no-psqlrc", "--quiet", "--no-align", "--tuples-only"]
        let process = try FinishedProcess.run(
            program("psql"),
            common + ["--dbname=\(database)"] + options
        )
        return (process.output + process.errorOutput).trimmingCharacters(in: .newlines)
    }

    private static var asOwner: [String] {
        guard let owner else { return [] }
        return ["setpriv", "--reuid=\(owner.user)", "--regid=\(owner.group)", "--clear-groups"]
    }

    private static func run(_ command: [String]) throws {
        let words = asOwner + [program(command[0])] + command.dropFirst()
        let process = try FinishedProcess.run(words[0], Array(words.dropFirst()))
        guard process.exitCode == 0 else { throw NotStarted(said: process.errorOutput) }
    }
}
