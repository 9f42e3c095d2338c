import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `The variable SSLKEYLOGFILE` {
        @Test func `makes neither program write keys of its connections`() throws {
            let bank = try Bank.open.get()
            let person = try Person.activated(of: bank)
            let folder = try TemporaryFolder()
            let file = folder.path + "/keys"
            let variable = ["SSLKEYLOGFILE": file]
            func isWritten() -> Bool { FileManager.default.fileExists(atPath: file) }

            let pending = try person.countersign(["pending"], environment: variable)
            #expect(pending.exitCode == 2)
            let token = try bank.premises.token("reader", "auditor")
            try bank.premises.write(token + "\n", to: "reader.token")
            let listed = try person.run(
                BuiltProducts.path(of: "countersignd"),
                [
                    "account", "show", "bank/main/4711", "--server", bank.origin,
                    "--token", bank.premises.path("reader.token"),
                    "--ca-certificates", try Certificates.shared.get().path(.authority),
                ],
                environment: variable
            )
            #expect(listed.exitCode == 66, "\(listed.errorOutput)")
            #expect(!isWritten())

            // Another program with libcurl writes the file.
            let curl = try person.run("curl", ["-ks", bank.origin], environment: variable)
            #expect(isWritten(), "\(curl)")
        }
    }
}
