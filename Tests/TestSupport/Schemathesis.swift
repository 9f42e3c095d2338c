import Foundation

/// The API checker Schemathesis, which sends valid and invalid requests by an OpenAPI description
/// and checks the responses.
///
/// Every run sends the same requests.
package final class Schemathesis {
    private let process = Process()
    private let folder: TemporaryFolder

    /// `hooks` is a file of Tests/ReferenceCheckers, which reads the `known` values as JSON.
    ///
    /// `fixed` parameters such as `path.enterprise` are the same in every request.
    package init(
        _ hooks: String,
        at url: String,
        knowing known: [String: Any],
        fixing fixed: [String: String] = [:],
        _ options: String...
    ) throws {
        folder = try TemporaryFolder()
        let file = try JSONSerialization.data(withJSONObject: known)
        let knownPath = try folder.write(String(decoding: file, as: UTF8.self), to: "known.json")
        let parameters = fixed.map { "\"\($0.key)\" = \"\($0.value)\"\n" }.joined()
        let settings = try String(
            contentsOfFile: ReferenceCheckers.sources + "schemathesis.toml",
            encoding: .utf8
        )
        let settingsPath = try folder.write(
            settings + (fixed.isEmpty ? "" : "\n[parameters]\n" + parameters),
            to: "schemathesis.toml"
        )
        process.executableURL = URL(filePath: "/bin/sh")
        // It writes its working files there.
        process.currentDirectoryURL = URL(filePath: folder.path)
        let command = [
            ReferenceCheckers.program("schemathesis"), "--config-file", settingsPath, "run",
            url + "/openapi.json", "--url", url,
            "--checks", "all", "--phases", "coverage,fuzzing", "--generation-deterministic",
            // The default of ten seconds is too short for a commit on a busy disk.
            "--generation-allow-x00", "false", "--request-timeout", "60", "--no-color",
        ]
        let output = folder.path + "/output"
        process.arguments = ["-c", "exec \"$@\" >\"$0\" 2>&1", output] + command + options
        process.environment = ProcessInfo.processInfo.environment.merging([
            "SCHEMATHESIS_HOOKS": hooks, "PYTHONPATH": ReferenceCheckers.sources,
            "KNOWN": knownPath,
            "PYTHONDONTWRITEBYTECODE": "1", "no_proxy": "*",
        ]) { $1 }
        try process.start()
    }

    /// Waits for the end; returns nil if all responses match the description.
    package func findings() throws -> String? {
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return nil }
        return try String(contentsOfFile: folder.path + "/output", encoding: .utf8)
    }
}
