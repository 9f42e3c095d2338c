import Testing

/// Loops of tests that only wait, each with the reason why it ends.
private let loops: [String: String] = [
    "StoreProgram/StoreProgram+Exhausting": "the disk is full at some time",
    "ProgramTesting/TerminalSession": "the output has an end, and a wait for it a limit",
    "HTTPServerTests/World/RawClient": "the connection has an end, and its socket a timeout",
    "VerifierWorld/Bank+Changes": "the credential is locked after the last attempt",
    "TestSupport/PostgresServer": "the output of the server has an end",
    "ServerProgram/ServerProgram": "standard input has an end",
    "CommandLineToolTests/ShellSession": "the output has an end, and a wait for it a limit",
]

/// A test that waits for another thread must fail if nothing comes, and not run forever.
@Suite struct `Tests that wait` {
    /// A loop without a body, or one that only gives way to others.
    private static func hasEndlessWait(_ text: String) -> Bool {
        let loop = #/\bwhile\b[^\n]*\{\s*(await\s+Task\.yield\(\)|sched_yield\(\))?\s*\}\s*\n/#
        return text.contains(loop)
    }

    @Test func `use waitUntil or spinUntil, which have a limit`() throws {
        let found = try Repository.tests().filter { Self.hasEndlessWait($0.value) }.map(\.key)
        #expect(Set(found) == Set(loops.keys))
    }

    @Test(arguments: [
        "while isIdle {}", "while isIdle { await Task.yield() }",
        "while count < 2, isRunning {\n    await Task.yield()\n}", "while a { sched_yield() }",
    ])
    func `are found`(_ text: String) {
        #expect(Self.hasEndlessWait(text + "\n"))
    }

    @Test(arguments: ["while let line = next() { lines.append(line) }", "waitUntil { isIdle }"])
    func `are not found in other loops`(_ text: String) {
        #expect(!Self.hasEndlessWait(text + "\n"))
    }
}
