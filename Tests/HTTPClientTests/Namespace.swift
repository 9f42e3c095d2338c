import TestSupport

/// Runs a process in its own file system and network namespaces, which it may change.
enum Namespace {
    /// Whether this machine allows namespaces; otherwise tests that need them are disabled.
    static let mayBeMade = Result {
        try run("ip link set lo up", network: true).exitCode == 0
    }

    static func run(
        _ script: String,
        _ arguments: [String] = [],
        network: Bool = false
    ) throws -> FinishedProcess {
        let spaces = ["--user", "--map-root-user", "--mount"] + (network ? ["--net"] : [])
        let shell = ["sh", "-euc", script, "sh"] + arguments
        return try FinishedProcess.run(
            "env",
            RequestProgram.withoutProxies + ["unshare"] + spaces + shell
        )
    }
}
