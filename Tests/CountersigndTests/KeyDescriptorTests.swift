import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Keys that the parent process passes as an open descriptor.
@Suite struct `Encryption keys from a descriptor` {
    private let premises: Premises
    private let configuration: String

    init() throws {
        premises = try Premises.initialized()
        configuration = premises.path("descriptor.json")
        let text = try String(contentsOfFile: premises.configuration, encoding: .utf8)
            .replacing("keys/encryption", with: "descriptor:3")
        try premises.write(text, to: "descriptor.json")
        rename(premises.path("keys/encryption"), premises.path("elsewhere"))
    }

    /// Runs a command in a shell with an open descriptor 3.
    private func countersignd(_ command: String, _ redirection: String) throws -> FinishedProcess {
        let program = BuiltProducts.path(of: "countersignd")
        let line = "cd \(premises.folder.path); \(program) \(command) --config \(configuration)"
        return try FinishedProcess.run("sh", ["-c", "\(line) \(redirection)"])
    }

    @Test(arguments: ["3< elsewhere", "3<<END\n$(cat elsewhere)\nEND\n"])
    func `keys from a descriptor open the store`(_ redirection: String) throws {
        let repeated = try countersignd("init", redirection)
        #expect(repeated.exitCode == 0, "\(repeated.errorOutput)")
        #expect(repeated.output.contains("found    descriptor:3"))
        let examined = try countersignd("doctor", redirection)
        #expect(examined.output.contains("keys: ok\nstore: ok\n"), "\(examined.output)")
        let keys = premises.path("keys/encryption")
        #expect(!FileManager.default.fileExists(atPath: keys))
    }

    @Test(arguments: [
        ("3< keys/agreement", 65, "descriptor:3 is malformed in line 1"),
        ("3< /dev/null", 65, "descriptor:3 is empty"),
        ("3<&-", 66, "descriptor:3, for the encryption keys, is not open"),
    ])
    func `malformed keys are rejected`(
        _ redirection: String,
        _ exitCode: Int32,
        _ message: String
    ) throws {
        let refused = try countersignd("init", redirection)
        #expect(refused.exitCode == exitCode)
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
    }

    @Test(arguments: ["0", "2", "x", "", "-1", "99999999999"])
    func `descriptors below 3 are rejected`(_ number: String) throws {
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        let other = text.replacing("descriptor:3", with: "descriptor:\(number)")
        try premises.write(other, to: "descriptor.json")
        let refused = try countersignd("init", "3< elsewhere")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("is not open"))
    }

    @Test(arguments: ["TERM", "INT"])
    func `a signal ends the wait for keys`(_ signal: String) throws {
        // The pipe stays empty; read is system call 0 or 63.
        let waits = "cat /proc/$!/task/*/syscall 2>/dev/null | grep -qE '^(0|63) 0x3 '"
        let line = """
            cd \(premises.folder.path); mkfifo keys.fifo; set -m
            \(BuiltProducts.path(of: "countersignd")) run --config \(configuration) 3<>keys.fifo &
            while ! \(waits); do kill -0 $! || exit 99; done
            kill -HUP $!; kill -\(signal) $!; wait $!
            """
        let ended = try FinishedProcess.run("bash", ["-c", line])
        #expect(ended.exitCode == 128 + (signal == "TERM" ? 15 : 2))
    }

    @Test func `rotate rejects a descriptor`() throws {
        let refused = try countersignd("rotate", "3< elsewhere")
        #expect(refused.exitCode == 64)
        #expect(refused.errorOutput.contains("rotate needs encryptionKeys to be a file"))
    }
}
