import Foundation
import TestSupport
import Testing

/// A challenge request of a browser, without an error.
private let request = """
    {"messageType":"CReq","messageVersion":"2.2.0",
    "threeDSServerTransID":"8a880dc0-d2d2-4067-bcb1-b08d1690b26e",
    "acsTransID":"d7c1ee99-9478-44a6-b1f2-391e29c6b340","challengeWindowSize":"05"}
    """

@Suite struct `countersign-3ds check` {
    private func check(_ message: String, _ words: String...) throws -> FinishedProcess {
        let common = ["check", "-", "--as", "CReq", "--version", "2.2.0"]
        return try CardProgram.run(common + words, input: message)
    }

    @Test func `finds no error in a right message`() throws {
        let right = try check(request)
        #expect((right.exitCode, right.output, right.errorOutput) == (0, "0 errors\n", ""))
        let json = try check(request, "--json")
        #expect((json.exitCode, json.output, json.errorOutput) == (0, "null\n", ""))
    }

    /// Each change of the message, and the elements of the error message that differ.
    @Test(
        arguments: [
            (#""05""#, #""06""#, "203", "challengeWindowSize"),
            (#""acsTransID":"#, #""acsTransid":"#, "201", "acsTransID"),
            (#""2.2.0""#, #""2.9.0""#, "102", "2.2.0"),
            (#""CReq""#, #""AReq""#, "101", "Invalid message for the receiving component"),
            (#""05"}"#, #""05","challengeWindowSize":"05"}"#, "204", "challengeWindowSize"),
            ("}", "", "101", "Invalid formatted message"),
        ]
    )
    func `prints the error message`(
        old: String,
        new: String,
        code: String,
        detail: String
    ) throws {
        let wrong = request.replacing(old, with: new)
        let json = try check(wrong, "--json")
        #expect(json.exitCode == 1)
        #expect(json.errorOutput == "countersign-3ds: the message has the error \(code)\n")
        let erro = try JSONDecoder().decode([String: String].self, from: Data(json.output.utf8))
        #expect((erro["errorCode"], erro["errorDetail"]) == (code, detail))
        #expect((erro["messageType"], erro["errorComponent"]) == ("Erro", "A"))
        let lines = try check(wrong).output.split(separator: "\n")
        #expect(Set(lines) == Set(erro.map { "\($0)\t\($1)" }.map { $0[...] }))
    }

    /// An error message is itself a message, which has no error.
    @Test func `accepts its own error message`() throws {
        let erro = try check("{}", "--json").output
        let words = ["check", "-", "--as", "Erro", "--version", "2.2.0"]
        #expect(try CardProgram.run(words, input: erro).output == "0 errors\n")
        let broken = erro.replacing(#""errorComponent":"A","#, with: "")
        let unreported = try CardProgram.run(words, input: broken)
        #expect(unreported.output == "errorCode\t201\nerrorDetail\terrorComponent\n")
        #expect(unreported.exitCode == 1)
        #expect(try CardProgram.run(words + ["--json"], input: broken).output == "null\n")
    }

    @Test func `compares with earlier messages`() throws {
        let folder = try TemporaryFolder()
        let first = try folder.write(request, to: "first.json")
        let other = request.replacing("d7c1ee99", with: "d7c1ee98")
        #expect(try check(request, "--after", first).output == "0 errors\n")
        let stranger = try check(other, "--after", first)
        #expect(stranger.output.contains("errorCode\t301\n"))
        #expect(stranger.output.contains("errorDetail\tacsTransID\n"))
        let damaged = try folder.write("{}", to: "damaged.json")
        let unread = try check(request, "--after", damaged)
        #expect(unread.exitCode == 65)
        #expect(unread.errorOutput.contains("\(damaged) has the error 101\nhint: check this"))
        let twice = try check(request, "--after", "-")
        #expect(twice.exitCode == 64)
        #expect(twice.errorOutput.contains("- can be given only once"))
    }

    /// The directory server adds three elements that the 3DS server may not send.
    @Test func `takes an AReq before it as its last receiver gets it`() throws {
        let sample = SampleMessages.request
        let folder = try TemporaryFolder()
        let first = try folder.write(sample, to: "areq.json")
        let alone = ["check", first, "--as", "AReq", "--version", "2.2.0"]
        #expect(try CardProgram.run(alone).output == "0 errors\n")
        let directory = try CardProgram.run(alone + ["--receiver", "directory"])
        // It gets the device's data encrypted, and decrypts them for the ACS.
        #expect(directory.output.contains("errorDetail\tsdkEncData\n"))
        let words = ["check", "-", "--as", "RRes", "--version", "2.2.0", "--after", first]
        let response = SampleMessages.response
        #expect(try CardProgram.run(words, input: response).output == "0 errors\n")
        let stranger = response.replacing("4317fdc3", with: "4317fdc4")
        let refused = try CardProgram.run(words, input: stranger)
        #expect(refused.output.contains("errorCode\t301\n"))
        #expect(refused.output.contains("errorDetail\tdsTransID\n"))
    }

    @Test func `names the receiver as the sender of the error`() throws {
        let words = ["check", "-", "--as", "AReq", "--version", "2.2.0", "--json"]
        let erro = try CardProgram.run(words + ["--receiver", "directory"], input: "{}").output
        #expect(erro.contains(#""errorComponent":"D""#))
        let impossible = try check(request, "--receiver", "sdk")
        #expect(impossible.exitCode == 64)
        #expect(impossible.errorOutput.contains("a CReq is never sent to sdk"))
    }

    @Test func `SEC-71: never prints a card number`() throws {
        let number = "4000000000000002"
        let message = #"{"messageType":"AReq","messageVersion":"2.2.0","acctNumber":""#
        for text in [
            "\(message)\(number)\"}", "\(message)\(number)\",\"\(number)\":1,\"\(number)\":2}",
            "\(message)\(number)\"", "\(message)\(number)9\"}",
        ] {
            for words in [[], ["--json"]] {
                let arguments = ["check", "-", "--as", "AReq", "--version", "2.2.0"] + words
                let checked = try CardProgram.run(arguments, input: text)
                #expect(checked.exitCode == 1)
                #expect(!checked.output.isEmpty && !checked.output.contains(number))
                #expect(!checked.errorOutput.contains(number))
            }
        }
    }

    @Test(
        arguments: [
            (["check", "-", "--as", "XReq", "--version", "2.2.0"], 64),
            (["check", "-", "--as", "CReq", "--version", "2.0.0"], 64),
            (["check", "-", "--as", "CReq"], 64), (["check"], 64), ([], 64),
            (["check", "/nonexistent", "--as", "CReq", "--version", "2.2.0"], 66),
            (["check", "/", "--as", "CReq", "--version", "2.2.0"], 74),
            (["check", "/dev/zero", "--as", "CReq", "--version", "2.2.0"], 65),
        ] as [([String], Int32)]
    )
    func `refuses a wrong command line and a wrong file`(words: [String], exitCode: Int32) throws {
        let refused = try CardProgram.run(words)
        #expect(refused.exitCode == exitCode)
        #expect(refused.output.isEmpty)
        #expect(refused.errorOutput.hasPrefix("countersign-3ds: "))
    }

    @Test func `refuses a message that is too long for a peer`() throws {
        let long = request.replacing("}", with: String(repeating: " ", count: 81_921) + "}")
        #expect(try check(long).output.contains("errorCode\t101\n"))
    }

    @Test func `reports a full disk`() throws {
        let line = "'\(CardProgram.path)' check - --as CReq --version 2.2.0 >/dev/full"
        let run = try FinishedProcess.run("sh", ["-c", line], input: Array(request.utf8))
        #expect(run.exitCode == 74)
    }
}
