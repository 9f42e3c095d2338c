import Testing

@Suite struct `Imports of the verifier in countersignd` {
    /// Folders and files of `countersignd` that work on the store, with the reason.
    private static let users: KeyValuePairs<String, String> = [
        "Auditing/": "reports on the records of a store",
        "BankAPI/AuditTrailDownload.swift": "parses audit records",
        "BankAPI/Installation+BankAPI.swift": "runs the bank's API in process",
        "BankAPI/NetworkVerifier.swift": "reads the file of a token",
        "Commands/Audit/": "read the audit trail of a store",
        "Commands/Evidence/EvidenceVerifyCommand.swift": "verifies a file",
        "Commands/Store/": "create, back up, restore and fill a store",
        "Commands/Tokens/": "have no route in the bank's API",
        "Configuration/": "names files and defaults of the verifier",
        "Diagnostics/Diagnostics+Store.swift": "checks a store",
        "Exporting/": "encrypts exported tokens",
        "Failures/": "translates the failures of the verifier",
        "Installation/": "opens the store, the keys and the journal",
        "Loading/": "reports on an import into a store",
        "Policy/GuessingRisk.swift": "computes the risk of a policy",
        "Policy/PolicyFile.swift": "validates a policy before it is sent",
        "Serving/": "runs the server",
        "Showing/Timestamp+Text.swift": "reads the clock",
    ]

    @Test func `only files that work on a store import the verifier`() throws {
        let importing = try Repository.swiftSources(of: "countersignd").filter {
            $0.value.imports.contains("Verification")
        }.keys
        for file in importing {
            #expect(Self.users.contains { file.hasPrefix($0.key) }, "\(file)")
        }
        for (user, _) in Self.users {
            #expect(importing.contains { $0.hasPrefix(user) }, "\(user) does not import it")
        }
    }

    @Test func `commands of the bank's API do not import the verifier`() throws {
        for (file, source) in try Repository.swiftSources(of: "countersignd") {
            guard source.words.contains("BankCommand"), file.hasPrefix("Commands/") else {
                continue
            }
            #expect(!source.imports.contains("Verification"), "\(file)")
        }
    }
}
