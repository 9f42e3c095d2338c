import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `PIN and activation code` {
        /// Too long to be anywhere by chance.
        private static let pin = "630281947305"
        private static let wrongPIN = "630281947306"

        @Test func `SEC-27, SEC-69: are in no file, log or output in any form`() throws {
            let person = try Person()
            let (id, code) = try person.newActivation()
            var said: [FinishedProcess] = []
            func run(_ words: String..., typing lines: [String]) throws {
                said.append(try person.countersign(words + ["--pin-fd", "0"], typing: lines))
            }
            try run("activate", id, typing: [code, Self.pin])
            let payment = try person.newPayment()
            try run("approve", payment, "--yes", typing: [Self.wrongPIN])
            try run("approve", payment, "--yes", typing: [Self.pin])
            #expect(said.map(\.exitCode) == [0, 1, 0])
            let secrets = [Self.pin, Self.wrongPIN, code, code.replacing("-", with: "")]
                .flatMap(forms)
            for text in said.flatMap({ [$0.output, $0.errorOutput] }) {
                for secret in secrets { #expect(!text.contains(secret)) }
            }
            let folders = [person.home.path, person.bank.premises.folder.path]
            func files(with texts: [String]) throws -> String {
                let patterns = texts.flatMap { ["-e", $0] }
                return try FinishedProcess.run("grep", ["-rlaiF"] + patterns + folders).output
            }
            #expect(try files(with: secrets) == "")
            // It would be found: of what is no secret, both keep some.
            let known = try files(with: [person.account])
            for folder in folders { #expect(known.contains(folder)) }
        }

        private func forms(of secret: String) -> [String] {
            let bytes = Data(secret.utf8)
            let hexadecimal = bytes.map { String(format: "%02x", $0) }
            return [
                secret, String(secret.reversed()), hexadecimal.joined(),
                hexadecimal.map { "%" + $0 }.joined(),
                // What padding does not change.
                String(bytes.base64EncodedString().prefix(secret.utf8.count / 3 * 4)),
            ]
        }

        @Test func `SEC-26: leave a program that cannot lock memory for them without asking`()
            throws
        {
            let person = try Person.activated()
            let id = try person.newPayment()
            let program = BuiltProducts.path(of: "countersign")
            let run = try FinishedProcess.run(
                "sh",
                ["-c", "ulimit -l 16 && exec \(program) approve \(id) --yes --pin-fd 0"],
                input: Array("\(Person.pin)\n".utf8),
                environment: ["HOME": person.home.path]
            )
            #expect(run.exitCode != 0)
            #expect(try person.state(of: id) == "pending")
        }
    }
}
