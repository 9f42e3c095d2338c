import Foundation
import TestSupport
import Testing

/// A shell, and the way its completion script is installed.
struct ShellSetup: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The command that starts the interactive shell.
    let command: String
    /// The start-up file in the home folder, and its content.
    let startUpFile: String
    let startUp: String

    static let all = [
        ShellSetup(
            testDescription: "bash",
            command: "bash --noprofile -i",
            startUpFile: ".bashrc",
            startUp: "source <(countersign completion bash)"
        ),
        ShellSetup(
            testDescription: "bash that does not split words at =",
            command: "bash --noprofile -i",
            startUpFile: ".bashrc",
            startUp: """
                COMP_WORDBREAKS=${COMP_WORDBREAKS//=}
                source <(countersign completion bash)
                """
        ),
        ShellSetup(
            testDescription: "zsh, script sourced",
            command: "zsh -i",
            startUpFile: ".zshrc",
            startUp: """
                autoload -U compinit && compinit -u -D
                source <(countersign completion zsh)
                """
        ),
        ShellSetup(
            testDescription: "zsh, script in the function path",
            command: "zsh -i",
            startUpFile: ".zshrc",
            startUp: """
                countersign completion zsh >~/_countersign
                fpath=(~ $fpath)
                autoload -U compinit && compinit -u -D
                """
        ),
        ShellSetup(
            testDescription: "fish",
            command: "fish -i",
            startUpFile: ".config/fish/config.fish",
            startUp: "countersign completion fish | source"
        ),
    ]
}

/// An interactive shell on its own terminal, in a new home folder with two files.
struct ShellSession {
    private let home: TemporaryFolder
    private let process = Process()
    private let keyboard = Pipe.closedOnExec()
    private let screen = Pipe.closedOnExec()

    init(_ setup: ShellSetup) throws {
        home = try makeHome(setup)
        // `script` creates a terminal for the shell, and forwards its input and output.
        process.executableURL = URL(filePath: "/usr/bin/script")
        process.arguments = ["-qfc", setup.command, "/dev/null"]
        process.currentDirectoryURL = URL(filePath: home.path)
        process.environment = [
            "HOME": home.path, "PATH": "\(home.path):/usr/bin:/bin", "TERM": "dumb",
            "LANG": "C.UTF-8", "SHELL": "/bin/sh",
        ]
        process.standardInput = keyboard
        process.standardOutput = screen
        process.standardError = FileHandle.nullDevice
        try process.start()
    }

    /// Types `keys` and Return; waits until `output` is on the screen.
    func type(_ keys: String, awaiting output: String) throws {
        try keyboard.fileHandleForWriting.write(contentsOf: Data((keys + "\n").utf8))
        var shown = Data()
        while !String(decoding: shown, as: UTF8.self).contains(output) {
            let more = nextOutput()
            try #require(!more.isEmpty, "\(keys): \(String(decoding: shown, as: UTF8.self))")
            shown += more
        }
    }

    /// Ends the shell and removes its home folder.
    func end() throws {
        // The shell may have ended already: `try?`.
        try? keyboard.fileHandleForWriting.write(contentsOf: Data("\nexit\n".utf8))
        while !nextOutput().isEmpty {}
        process.terminate()
    }

    /// The next output; empty after the shell has ended or was silent for ten seconds.
    private func nextOutput() -> Data {
        let reading = screen.fileHandleForReading
        var event = pollfd(fd: reading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 60_000) == 1 ? reading.availableData : Data()
    }
}

private func makeHome(_ setup: ShellSetup) throws -> TemporaryFolder {
    let files = FileManager.default
    let folder = try TemporaryFolder()
    let home = URL(filePath: folder.path)
    let subfolders = [
        URL(filePath: setup.startUpFile).deletingLastPathComponent().relativePath,
        // Without this folder, fish reads all manual pages of the system.
        ".local/share/fish/generated_completions",
    ]
    for subfolder in subfolders {
        try files.createDirectory(
            at: home.appending(path: subfolder),
            withIntermediateDirectories: true
        )
    }
    try Data(setup.startUp.utf8).write(to: home.appending(path: setup.startUpFile))
    for name in ["invoice.json", "two words.json"] {
        try Data().write(to: home.appending(path: name))
    }
    try files.createSymbolicLink(
        at: home.appending(path: "countersign"),
        withDestinationURL: SampleProcess.executable
    )
    return folder
}
