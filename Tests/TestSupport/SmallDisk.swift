/// Scripts that may mount a small file system in their own mount namespace.
package enum SmallDisk {
    /// Whether this machine allows it; otherwise tests that need it are disabled.
    package static let mayBeMounted = Result {
        try run("mount -t tmpfs -o size=1m tmpfs /tmp").exitCode == 0
    }

    package static func run(_ script: String, _ arguments: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            "unshare",
            ["--user", "--map-root-user", "--mount", "sh", "-euc", script, "sh"] + arguments
        )
    }
}
