import ProgramTesting
import TestSupport
import Testing

/// An attacker without keys changes secrets and tags of a stopped verifier.
@Suite struct `Forged secrets of a store` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.write(#"{"minimumTokenDigits": 6}"#, to: "policy.json")
        let policy = premises.path("policy.json")
        #expect(try premises.countersignd("policy", "set", "bank", policy, "--new").exitCode == 0)
        let secrets = ["31323334353637383930313233343536", "41424344454647484950515253545556"]
        try premises.write(
            """
            enterprise,account_type,account_id,token_serial,token_secret_hex
            bank,main,4711,S-1,\(secrets[0])
            bank,main,4712,S-2,\(secrets[1])

            """,
            to: "accounts.csv"
        )
        let loaded = try premises.countersignd("load", premises.path("accounts.csv"))
        try #require(loaded.exitCode == 0, "\(loaded.errorOutput)")
    }

    @Test(arguments: [
        (
            """
            UPDATE credentials SET seed = (SELECT seed FROM credentials AS other
                WHERE other.device <> credentials.device)
            """,
            "credentials device="
        ),
        (
            "UPDATE credentials SET seed = x''",
            "credentials device="
        ),
        (
            "UPDATE accounts SET tag = zeroblob(28)",
            "accounts enterprise=bank type=main id=4711: another program wrote this row"
        ),
        (
            "UPDATE accounts SET tag = CAST(x'7fffffff' || substr(tag, 5) AS BLOB)",
            "accounts enterprise=bank type=main id=4711: another program wrote this row"
        ),
        (
            "UPDATE verifier SET fingerprint_key = NULL",
            "verifier id=1: its secret was changed, emptied or moved"
        ),
    ])
    func `SEC-101: audit verify and doctor name the row`(
        _ statement: String,
        _ finding: String
    ) throws {
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        let sound = try premises.countersignd("doctor")
        #expect(sound.output.contains("store: ok\n"), "\(sound.output)")
        #expect(try premises.sqlite3(statement) == "")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(audit.output.contains(finding), "\(audit.output)")
        // Only secrets and tags were changed, so no row differs from its record.
        #expect(!audit.output.contains("differs"), "\(audit.output)")
        let doctor = try premises.countersignd("doctor")
        #expect(doctor.exitCode == 1)
        // A verifier does not start with a forged row of its own, so the doctor names the store.
        let isOwn = statement.contains("verifier")
        #expect(isOwn || doctor.output.contains(finding), "\(doctor.output)")
        #expect(doctor.output.contains("store: "), "\(doctor.output)")
        #expect(!doctor.output.contains("store: ok"))
    }

    @Test func `a malformed device does not end the audit`() throws {
        let columns = "public_key = x'', token_suite = NULL"
        #expect(try premises.sqlite3("UPDATE devices SET \(columns)") == "")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        let names = audit.output.split(separator: "\n").filter { $0.contains("devices id=") }
        #expect(names.count == 2, "\(audit.output)")
        let doctor = try premises.countersignd("doctor")
        #expect(doctor.output.contains("store: devices id="))
    }

    /// A forged row of the verifier looks like a missing key.
    @Test func `the doctor reports an unknown key version in the row of the verifier`() throws {
        let edit = "UPDATE verifier SET tag = CAST(x'7fffffff' || substr(tag, 5) AS BLOB)"
        #expect(try premises.sqlite3(edit) == "")
        let doctor = try premises.countersignd("doctor")
        #expect(doctor.exitCode == 1)
        let line = "store: version 2147483647 of the encryption key is not in "
        #expect(doctor.output.contains(line), "\(doctor.output)")
    }
}
