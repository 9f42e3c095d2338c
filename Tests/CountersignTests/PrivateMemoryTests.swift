import Foundation
import TestSupport
import Testing

@Suite struct `The memory of a running program` {
    /// Starts the program, waits until the kernel denies the user access to its memory, and tries
    /// to read it as that user.
    private static let look = """
        folder=$(mktemp -d)
        trap 'kill $pid; rm -rf "$folder"' EXIT
        mkfifo "$folder/input"
        exec 3<>"$folder/input"
        "$1" selftest - <&3 >/dev/null &
        pid=$!
        for try in {1..200000}; do [ -O /proc/$pid/mem ] || break; done
        if (: </proc/$pid/mem) 2>/dev/null; then echo open; else echo closed; fi
        grep 'core file size' /proc/$pid/limits | tr -s ' '
        """

    @Test func `is not readable by other programs of the user, and in no core dump`() throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/countersign"
        let built = BuiltProducts.path(of: "countersign")
        // A program that this process wrote itself is busy while another test starts a child: the
        // child inherits the descriptor for a moment.
        try #require(FinishedProcess.run("install", ["-m", "755", built, program]).exitCode == 0)
        try #require(chmod(folder.path, 0o755) == 0)
        // Root can read everything.
        let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let words = (geteuid() == 0 ? nobody : []) + ["bash", "-c", Self.look, "bash", program]
        let looked = try FinishedProcess.run(words[0], Array(words.dropFirst()))
        #expect(
            looked.output == "closed\nMax core file size 0 0 bytes \n",
            "\(looked.errorOutput)"
        )
    }
}
