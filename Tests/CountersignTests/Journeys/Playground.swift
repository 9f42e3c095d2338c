import Foundation
import ProgramTesting
import TestSupport
import Testing

/// `make playground` with the built programs, in a terminal of its own.
final class Playground {
    static let script = URL(filePath: #filePath)
        .appending(path: "../../../../Packaging/playground").standardized.path

    private let session: TerminalSession

    init() throws {
        let programs = URL(filePath: BuiltProducts.path(of: "countersign"))
            .deletingLastPathComponent().path
        session = try TerminalSession(["env", "--default-signal", Self.script, programs])
        try session.wait(for: "countersign.json.")
    }

    var screen: String { session.screen.replacing("\r\n", with: "\n") }

    /// The lines to paste; the first one prepares the shell.
    var commands: [String] {
        screen.matches(of: /\n    ([.c]\S* .*)/).map { String($0.1) }
    }

    /// The values that it prints for a journey: its folder, its server, and an activation for another app.
    var values: [String: String] {
        get throws {
            let folder = try #require(screen.firstMatch(of: /\n    \. (.*)\/shell\n/))
            let server = try #require(screen.firstMatch(of: /running at (\S+)\.\n/))
            let activation = try #require(screen.firstMatch(of: /\n    id (\S+), code (\S+)\n/))
            return [
                "playground": String(folder.1), "origin": String(server.1),
                "activation": String(activation.1), "code": String(activation.2),
            ]
        }
    }

    /// Presses Ctrl-C; returns the exit code.
    func end() throws -> Int32 {
        // It also ends if its verifier ended: `try?`.
        try? session.type("\u{3}")
        try session.wait(for: "its files are removed.")
        return try session.end()
    }
}
