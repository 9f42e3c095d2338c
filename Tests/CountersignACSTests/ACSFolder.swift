import Foundation
import TestSupport

/// The files of an ACS in a temporary folder, used by the built program.
struct ACSFolder {
    static let program = BuiltProducts.path(of: "countersign-acs")

    private let folder: TemporaryFolder

    /// With this configuration, or without one.
    init(configuration: String? = nil) throws {
        folder = try TemporaryFolder()
        if let configuration { try write(configuration, to: "acs.json") }
    }

    var configuration: String { path("acs.json") }

    func path(_ name: String) -> String { folder.path + "/" + name }

    func run(_ words: String..., environment: [String: String] = [:]) throws -> FinishedProcess {
        try FinishedProcess.run(
            Self.program,
            words + ["--config", configuration],
            environment: environment
        )
    }

    /// Runs a command in a shell, in the folder.
    func shell(_ command: String) throws -> FinishedProcess {
        try FinishedProcess.run(
            "sh",
            ["-ec", "cd '\(folder.path)'\n\(command)"],
            environment: ["PROGRAM": Self.program]
        )
    }

    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
        let path = try folder.write(text, to: name)
        try setMode(mode, of: path)
    }

    func setMode(_ mode: mode_t, of path: String) throws {
        guard chmod(path, mode) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// The content of each file.
    func contents() throws -> [String: Data] {
        try files().reduce(into: [:]) { contents, name in
            contents[name] = FileManager.default.contents(atPath: path(name))
        }
    }

    /// The permissions of a file.
    func mode(_ name: String) throws -> mode_t {
        var status = stat()
        guard stat(path(name), &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        return status.st_mode & 0o7777
    }

    /// All files, by their path in the folder.
    func files() throws -> [String] {
        try FinishedProcess.run("find", [folder.path, "-type", "f", "-printf", "%P\\n"]).output
            .split(separator: "\n").map(String.init).sorted()
    }
}
