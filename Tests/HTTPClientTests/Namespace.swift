import TestSupport

/// File system and network of one process alone, where it may change what else is everybody's.
enum Namespace {
    /// Whether this machine lets us; the reason to disable a test where it does not.
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
