import Foundation
import Glibc
import PrivateFiles

/// A PostgreSQL server of Debian's packages in a temporary folder.
///
/// It is removed with the value or with this process, even if a signal kills the process.
package final class PostgresServer: Sendable {
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: program("initdb"))

    /// The shared server of this test process, started at first use; no test kills it.
    package static func shared() throws -> PostgresServer { try sharedServer.get() }

    private static let sharedServer = Result { try PostgresServer(syncs: false) }

    /// The programs of the newest version that is installed.
    private static let programs: String = {
        let versions = "/usr/lib/postgresql"
        let installed = try? FileManager.default.contentsOfDirectory(atPath: versions)
        return "\(versions)/\(installed?.max { Int($0) ?? 0 < Int($1) ?? 0 } ?? "")/bin/"
    }()
    /// The user of the server, which refuses to run as root.
    private static let owner: (user: uid_t, group: gid_t)? = {
        guard geteuid() == 0 else { return nil }
        let entry = getpwnam("postgres") ?? getpwnam("nobody")
        return entry.map { ($0.pointee.pw_uid, $0.pointee.pw_gid) }
    }()

    /// The folder of its Unix socket.
    package let folder: String
    private let port: UInt16
    private let temporaryFolder: TemporaryFolder
    private let settings: [String]
    private let running = LockedValue<Running?>(nil)

    /// A shell that stops the server and removes its folder when the shell's input ends, at the
    /// latest with this process.
    private struct Running {
        let guardian: Process
        let input: FileHandle
        let hasEnded: DispatchSemaphore
    }

    private static func program(_ name: String) -> String { programs + name }

    /// A server that requires a password over TCP, with TLS if there is a certificate.
    ///
    /// A server without `syncs` loses data only if the machine loses power. The file of the
    /// certificate contains its key too.
    package convenience init(
        syncs: Bool = true,
        tcpPort: UInt16? = nil,
        certificate: String? = nil
    ) throws {
        let quick = ["fsync=off", "full_page_writes=off", "autovacuum=off"]
        try self.init(
            settings: syncs ? [] : quick,
            tcpPort: tcpPort,
            certificate: certificate,
            inMemory: !syncs
        ) { folder in
            let options = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
            let tcp = ["--auth-host=scram-sha-256"]
            return ["initdb", "--pgdata=\(folder)/data", "--username=bank"] + options + tcp
        }
    }

    /// A replica of `primary`, until it is promoted.
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
        certificate: String? = nil,
        inMemory: Bool = false,
        filling: (String) -> [String]
    ) throws {
        let tcp = tcpPort.map { ["listen_addresses=127.0.0.1", "port=\($0)"] }
        let tls = ["ssl=on", "ssl_cert_file=tls.pem", "ssl_key_file=tls.pem"]
        self.settings =
            settings + (tcp ?? ["listen_addresses="]) + (certificate == nil ? [] : tls)
        port = tcpPort ?? 5432
        temporaryFolder = try TemporaryFolder(inMemory: inMemory)
        folder = temporaryFolder.path
        if let owner = Self.owner { chown(folder, owner.user, owner.group) }
        try Self.run(filling(folder))
        if let certificate { try copy(certificate: certificate) }
        try start()
    }

    deinit {
        running.withLock { running in
            guard let running else { return }
            try? running.input.close()
            // `waitUntilExit` may wait forever on a thread that did not start the process.
            running.hasEnded.wait()
        }
    }
}

extension PostgresServer {
    /// Returns when the server accepts connections.
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
        let settings = (settings + ["max_connections=300", Self.sharedMemoryInFiles])
            .flatMap { ["-c", $0] }
        let (input, output) = (Pipe.closedOnExec(), Pipe.closedOnExec())
        let guardian = Process()
        guardian.executableURL = URL(filePath: "/bin/sh")
        guardian.arguments = ["-c", guarding, folder] + Self.asOwner + server + settings
        guardian.standardInput = input.fileHandleForReading
        guardian.standardOutput = output.fileHandleForWriting
        guardian.currentDirectoryURL = URL(filePath: folder)
        try guardian.start()
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
        let hasEnded = DispatchSemaphore(value: 0)
        try awaitReadiness(output.fileHandleForReading, hasEnded)
        running.withLock {
            $0 = Running(
                guardian: guardian,
                input: input.fileHandleForWriting,
                hasEnded: hasEnded
            )
        }
    }

    /// Uses another certificate for new connections, after some time.
    package func reload(certificate: String) throws {
        try copy(certificate: certificate)
        guard try query("SELECT pg_reload_conf()") == "t" else {
            throw NotStarted(message: "no reload")
        }
    }

    /// The server accepts a key only if it is private and belongs to its user.
    private func copy(certificate: String) throws {
        let path = folder + "/data/tls.pem"
        try Data(contentsOf: URL(filePath: certificate)).write(to: URL(filePath: path))
        chmod(path, 0o600)
        if let owner = Self.owner { chown(path, owner.user, owner.group) }
    }

    /// In the data folder, which is removed even after a kill, instead of /dev/shm.
    private static let sharedMemoryInFiles = "dynamic_shared_memory_type=mmap"

    private func awaitReadiness(_ output: FileHandle, _ hasEnded: DispatchSemaphore) throws {
        var message = ""
        while !message.contains("ready to accept") {
            let more = output.availableData
            guard !more.isEmpty else { throw NotStarted(message: message) }
            message += String(decoding: more, as: UTF8.self)
        }
        // Later output must not fill the pipe, which ends with the last process of the server.
        Foundation.Thread.detachNewThread {
            while !output.availableData.isEmpty {}
            hasEnded.signal()
        }
    }

    package struct NotStarted: Error {
        let message: String
    }

    /// Kills all processes of the server at once; the kernel keeps what they wrote.
    package func kill() throws {
        let processes = try [processID] + children()
        let segment = try sharedMemorySegment()
        running.withLock { running in
            guard let ended = running else { return }
            for process in [ended.guardian.processIdentifier] + processes {
                Glibc.kill(process, SIGKILL)
            }
            ended.hasEnded.wait()
            // The kernel may still know the process that they name.
            for lock in ["data/postmaster.pid", ".s.PGSQL.\(port).lock"] {
                unlink(folder + "/" + lock)
            }
            running = nil
        }
        // The killed server could not remove it.
        if let segment { shmctl(segment, IPC_RMID, nil) }
    }

    /// The System V segment with which PostgreSQL locks its data folder.
    package func sharedMemorySegment() throws -> Int32? {
        let lines = try postmasterFile()
        return lines.count > 6 ? lines[6].split(separator: " ").last.flatMap { Int32($0) } : nil
    }

    /// Suspends all processes of the server: the kernel still accepts connections, but gets no
    /// response from the server.
    package func pause() throws { try signal(SIGSTOP) }

    package func resume() throws { try signal(SIGCONT) }

    private func signal(_ number: Int32) throws {
        for process in [try processID] + (try children()) { Glibc.kill(process, number) }
    }

    private var processID: pid_t {
        get throws { pid_t(try postmasterFile()[0]) ?? 0 }
    }

    private func postmasterFile() throws -> [Substring] {
        try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    private func children() throws -> [pid_t] {
        let server = try processID
        return try String(
            contentsOfFile: "/proc/\(server)/task/\(server)/children",
            encoding: .utf8
        ).split(separator: " ").compactMap { pid_t($0) }
    }

    /// Makes a replica the primary.
    package func promote() throws {
        guard try query("SELECT pg_promote()") == "t" else {
            throw NotStarted(message: "no standby")
        }
    }

    /// Kills one session's process; the server then ends all sessions and recovers.
    package func killSession(of database: String) throws {
        let session = try query(
            "SELECT pid FROM pg_stat_activity WHERE datname = '\(database)' LIMIT 1"
        )
        if let process = pid_t(session) { Glibc.kill(process, SIGKILL) }
    }
}

extension PostgresServer {
    /// Creates a database, empty or as a copy of an unused `template`, and returns its connection
    /// string.
    package func makeDatabase(copying template: String? = nil) throws -> String {
        let address = "host=\(folder) port=\(port) user=bank dbname="
        let name = "bank_" + UUID().uuidString.lowercased().prefix(8)
        let source = template.map { " TEMPLATE " + $0.trimmingPrefix(address) } ?? ""
        // Copies files, which is faster than the log of each page, and makes connections faster.
        let output = try query("CREATE DATABASE \(name)\(source) STRATEGY FILE_COPY")
        guard output.isEmpty else { throw NotStarted(message: output) }
        return address + name
    }

    /// The output of psql for a statement.
    package func query(
        _ statement: String,
        in database: String = "postgres"
    ) throws -> String {
        try Self.psql(
            ["--command=\(statement)"],
            in: "host=\(folder) port=\(port) user=bank dbname=\(database)"
        )
    }

    /// The statements that recreate a database, which may be in use.
    package static func dump(of database: String) throws -> String {
        let process = try FinishedProcess.run(program("pg_dump"), ["--dbname=\(database)"])
        guard process.exitCode == 0 else { throw NotStarted(message: process.errorOutput) }
        return process.output
    }

    /// The output of psql with these options, for a connection string.
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
        guard process.exitCode == 0 else { throw NotStarted(message: process.errorOutput) }
    }
}
