import FoundationEssentials
import Glibc

/// The processes of a PostgreSQL server on this machine.
struct PostgresProcesses {
    let address: String

    /// In nanoseconds; the connections must stay open between two readings.
    var processorTime: Double {
        // Workers of the autovacuum end between two readings.
        get throws { try processorTime(where: "backend_type NOT LIKE '% worker'") }
    }

    /// The same for connections alone.
    var timeOfConnections: Double {
        get throws { try processorTime(where: "backend_type = 'client backend'") }
    }

    private func processorTime(where condition: String) throws -> Double {
        let query = """
            SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND \(condition)
            """
        let output = try Program.run("psql", ["-XqAt", "-d", address, "-c", query])
        return try output.split(whereSeparator: \.isNewline).reduce(0) { sum, line in
            guard let process = pid_t(line) else { throw BenchmarkFailure("psql: \(output)") }
            return sum + (try benchmarks.processorTime(of: process))
        }
    }

    /// The processor time of the connections that begin and end during `work`, in nanoseconds.
    func time(ofConnectionsIn work: () throws -> Void) throws -> Double {
        let query = "SELECT pg_backend_pid() || E'\\n' || pg_read_file('postmaster.pid')"
        let output = try Program.run("psql", ["-XqAt", "-d", address, "-c", query])
        let ids = output.split(whereSeparator: \.isNewline).prefix(2).compactMap { pid_t($0) }
        guard ids.count == 2 else { throw BenchmarkFailure("psql: \(output)") }
        let server = ParentProcess(id: ids[1])
        try server.wait { !$0.contains(ids[0]) }
        let (start, others) = (try server.timeOfEndedChildren, try server.children)
        try work()
        try server.wait { $0.isSubset(of: others) }
        return try server.timeOfEndedChildren - start
    }
}

/// A process and its children.
private struct ParentProcess {
    let id: pid_t

    var children: Set<pid_t> {
        get throws {
            Set(try file("task/\(id)/children").split(separator: " ").compactMap { pid_t($0) })
        }
    }

    /// Returns when the parent has noticed all ends that the condition is about.
    func wait(until condition: (Set<pid_t>) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while !condition(try children) {
            guard ContinuousClock.now < deadline else {
                throw BenchmarkFailure("a connection to PostgreSQL stays open")
            }
            usleep(1000)
        }
    }

    /// In nanoseconds.
    var timeOfEndedChildren: Double {
        get throws {
            // The second field, a name, can contain spaces.
            let fields = try file("stat").split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 14, let user = Double(fields[13]), let system = Double(fields[14])
            else { throw BenchmarkFailure("/proc/\(id)/stat has other fields") }
            return (user + system) * 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    private func file(_ name: String) throws -> String {
        try String(contentsOfFile: "/proc/\(id)/\(name)", encoding: .utf8)
    }
}

/// The processor time of all threads of another process, in nanoseconds.
func processorTime(of process: pid_t) throws -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        throw BenchmarkFailure("process \(process) has ended")
    }
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
