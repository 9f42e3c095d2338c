import Foundation
import TestSupport
import Testing

@testable import CommandLineTool
@testable import SampleProgram

@Suite struct `The manual page` {
    private func page(_ words: String...) async throws -> String {
        let transcript = Transcript()
        #expect(await sampleProgram.run(["manual"] + words, on: transcript.terminal) == .done)
        return transcript.output
    }

    /// The output and the warnings of a program that reads the page.
    private func run(_ program: String, _ words: [String], on page: String) throws -> (
        shown: String, warnings: String
    ) {
        let process = Process()
        let (input, output, errors) = (
            Pipe.closedOnExec(), Pipe.closedOnExec(), Pipe.closedOnExec()
        )
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + words
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        (process.standardInput, process.standardOutput, process.standardError) = (
            input, output, errors
        )
        try process.start()
        try input.fileHandleForWriting.write(contentsOf: Data(page.utf8))
        try input.fileHandleForWriting.close()
        let shown = output.fileHandleForReading.readDataToEndOfFile()
        let warnings = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            String(decoding: shown, as: UTF8.self), String(decoding: warnings, as: UTF8.self)
        )
    }

    @Test func `has no warnings in groff and mandoc`() async throws {
        let page = try await page("--date", "2026-11-22")
        let groff = try run("groff", ["-man", "-Tutf8", "-ww", "-z"], on: page)
        #expect(groff.shown + groff.warnings == "")
        let mandoc = try run("mandoc", ["-Tlint", "-Wall"], on: page)
        #expect(mandoc.shown + mandoc.warnings == "")
        let wrong = try run("mandoc", ["-Tlint", "-Wall"], on: page + ".XX\n")
        #expect(wrong.shown.contains("XX"))
    }

    @Test(arguments: ["2026-11", "22.11.2026", "2026-11-22\" x", "2026-11-22\n.so /etc/passwd"])
    func `contains only a valid date`(_ text: String) async {
        let transcript = Transcript()
        let words = ["manual", "--date", text]
        #expect(await sampleProgram.run(words, on: transcript.terminal) == .usage)
        #expect(transcript.output == "")
    }

    @Test func `contains the text of the help`() async throws {
        let page = try await page("--date", "2026-11-22")
        let shown = try run("mandoc", ["-Tutf8"], on: page).shown
            .replacing(/.\u{8}/, with: "")
        for text in [
            "COUNTERSIGN(1)", "countersign 1.2.3",
            "countersign - approve payments and logins from the command line",
            "countersign approve [ID] [--with pin|biometric|consent] [--yes]",
            "Shows the transaction, reads the PIN and sends the code.",
            "countersign approve 7f3a --yes --pin-fd 3 3<pin.txt",
            "-w, --with pin|biometric|consent", "Do not ask for confirmation.",
        ] {
            #expect(shown.contains(text), "\(text)")
        }
    }

    @Test func `escapes roff markup`() async throws {
        let commented = Program(
            name: "sample",
            summary: "Be a sample.",
            version: "1",
            discussion: """
                .begins with a point, has a back\\slash, a ~, a ^, a `, an 'apostrophe' and …

                    'an example'

                    .of two parts
                """,
            commands: []
        )
        let page = ManualPage(of: commented, on: Day(argument: "2026-11-22")).text
        #expect(try run("mandoc", ["-Tlint", "-Wall"], on: page).shown == "")
        let shown = try run("groff", ["-man", "-Tutf8"], on: page).shown
        for text in [
            ".begins with a point, has a back\\slash, a ~, a ^, a `, an 'apostrophe' and …",
            "'an example'", ".of two parts",
        ] {
            let words = text.split(separator: " ")
            #expect(words.allSatisfy { shown.contains($0) }, "\(text)")
        }
    }
}
