import Glibc

/// Limits the processor time of another process until this value ends.
///
/// It needs control groups that this user may make, as root has them.
final class ProcessorQuota {
    private static let period = 10_000
    private static let controllers = "/sys/fs/cgroup"

    private let process: pid_t
    /// The group of the other processes, and the group below it.
    private let outer: String
    private let inner: String

    /// `share` is a part of one core.
    init(of process: pid_t, share: Double) throws {
        self.process = process
        let isUnified = access(Self.controllers + "/cgroup.controllers", F_OK) == 0
        outer = isUnified ? Self.controllers : Self.controllers + "/cpu"
        inner = outer + "/benchmark-\(process)"
        guard mkdir(inner, 0o755) == 0 else {
            throw NotMeasured(missing: ["a control group for processor time"])
        }
        let quota = Int(share * Double(Self.period))
        if isUnified {
            try Self.write("\(quota) \(Self.period)", to: inner + "/cpu.max")
        } else {
            try Self.write("\(Self.period)", to: inner + "/cpu.cfs_period_us")
            try Self.write("\(quota)", to: inner + "/cpu.cfs_quota_us")
        }
        try Self.write("\(process)", to: inner + "/cgroup.procs")
    }

    deinit {
        // A process that has ended is in no group.
        try? Self.write("\(process)", to: outer + "/cgroup.procs")
        rmdir(inner)
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        guard file >= 0, Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
            throw BenchmarkFailure("\(path): \(String(cString: strerror(errno)))")
        }
    }
}
