import Foundation

/// A small file system over a folder, which only programs see that `launcher` starts.
///
/// A shell holds its mount namespace, and ends with this value.
package final class MountedDisk {
    package struct Failure: Error {}

    private let shell = Process()
    private let (commands, results) = (Pipe.closedOnExec(), Pipe.closedOnExec())

    private static let script = """
        cp -a "$1" "$1.kept"
        mount -t tmpfs -o size="$2",mode=700 tmpfs "$1"
        cp -a "$1.kept/." "$1"
        rm -r "$1.kept"
        echo mounted
        while read -r command; do
            case $command in
            fill) cat /dev/zero >"$1/fill" 2>/dev/null || true ;;
            free) rm "$1/fill" ;;
            esac
            echo "$command"
        done
        """

    /// Keeps the files of the folder; `size` is an option of mount.
    package init(over folder: String, size: String) throws {
        ignoreBrokenPipes()
        shell.executableURL = URL(filePath: "/usr/bin/unshare")
        shell.arguments =
            ["--user", "--map-root-user", "--mount", "sh", "-euc", Self.script, "sh"]
            + [folder, size]
        shell.standardInput = commands
        shell.standardOutput = results
        try shell.start()
        try results.fileHandleForWriting.close()
        try expect("mounted")
    }

    deinit {
        // The shell stops when its standard input ends.
        try? commands.fileHandleForWriting.close()
        shell.waitUntilExit()
    }

    /// The words of a command that runs the program after them.
    package var launcher: [String] {
        ["nsenter", "--target", "\(shell.processIdentifier)"]
            + ["--user", "--mount", "--preserve-credentials"]
    }

    /// Leaves no room for another page.
    package func fill() throws { try run("fill") }

    /// Ends what `fill` began.
    package func free() throws { try run("free") }

    private func run(_ command: String) throws {
        try commands.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
        try expect(command)
    }

    private func expect(_ line: String) throws {
        // A line can come in parts.
        var output = Data()
        while output.last != UInt8(ascii: "\n") {
            let more = try results.fileHandleForReading.nextData()
            guard !more.isEmpty else { break }
            output += more
        }
        guard output == Data("\(line)\n".utf8) else { throw Failure() }
    }
}
