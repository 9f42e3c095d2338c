import Glibc
import ProgramTesting
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    static var killsAtSystemCalls: Self {
        .enabled("strace is needed to kill a process at a system call") {
            try FinishedProcess.run("strace", ["-qq", "-o", "/dev/null", "true"]).exitCode == 0
        }
    }
}

extension Premises {
    /// Runs a command, and kills it at the nth of these system calls; commas separate their names.
    ///
    /// Each thread counts its own calls. Returns false if the command ended before.
    func kill(_ words: String..., at calls: String, number: Int = 1) throws -> Bool {
        let run = try FinishedProcess.run(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
                "inject=\(calls):signal=KILL:when=\(number)",
                BuiltProducts.path(of: "countersignd"),
            ] + words + ["--config", configuration]
        )
        return run.exitCode == 128 + SIGKILL
    }
}
