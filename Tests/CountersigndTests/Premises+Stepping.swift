import ProgramTesting
import TestSupport

extension Premises {
    /// Runs a command in short steps, and kills it as soon as a condition of the shell is true.
    ///
    /// The program is stopped while the condition is tested, so it cannot miss a state for long.
    /// Returns false if the program ended before.
    func kill(_ command: String, steppingUntil condition: String) throws -> Bool {
        let script = """
            store=$2
            "$0" \(command) --yes --config "$1" >/dev/null 2>&1 & program=$!
            while true; do
                kill -STOP $program || exit 1
                if \(condition); then kill -KILL $program; exit 0; fi
                kill -CONT $program
            done 2>/dev/null
            """
        let program = BuiltProducts.path(of: "countersignd")
        let words = [program, configuration, path("store/countersign.db")]
        return try FinishedProcess.run("sh", ["-c", script] + words).exitCode == 0
    }
}
