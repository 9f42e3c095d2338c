import Cryptography
import Foundation
import PrivateFiles
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

private let (heading, secret) = (Intake.heading, Intake.secret)

@Suite(.onAnyStore) struct `Bulk loads of CSV files` {
    @Test func `a file is loaded with its tokens, whose codes are then accepted`() async throws {
        let intake = try await Intake()
        let secrets = try (0..<3).map { _ in try randomBytes(count: 20) }
        let rows = secrets.enumerated().map { index, secret in
            "bank,main,a\(index),,S\(index),\(TextEncoding.hexadecimal.encode(secret.span)),,,\(index)"
        }
        try intake.write(heading + rows.joined(separator: "\r\n") + "\r\nbank,main,plain,,,,,,\n")
        let (record, rejections) = try await intake.load()
        #expect(rejections == [:])
        #expect([record.line, record.accounts, record.tokens, record.rejected] == [5, 4, 3, 0])
        for (index, secret) in secrets.enumerated() {
            let account = Bank.account("a\(index)")
            let devices = try await intake.bank.read { ledger throws(StoreFailure) in
                try ledger.devices(of: account)
            }
            let device = try #require(devices.first)
            #expect(device.name == "S\(index)")
            let code = try FinishedProcess.run(
                "oathtool",
                ["--hotp", "--counter=\(index + 3)", TextEncoding.hexadecimal.encode(secret.span)]
            )
            for (call, expected) in [
                ("one", AttemptResult.accepted(nil)), ("two", .refused(.codeUsed)),
            ] {
                let typed = code.output.trimmingCharacters(in: .newlines)
                let judged = try await intake.bank.verifier.verify(
                    typed: typed,
                    .of(
                        [typed],
                        call: "\(call)-\(index)",
                        on: device.id,
                        of: account,
                        to: intake.bank.verifier
                    ),
                    by: Bank.core
                )
                #expect(judged.result == expected)
            }
        }
    }

    @Test func `accounts of one person are linked, across files`() async throws {
        let intake = try await Intake()
        try intake.write(
            "enterprise,account_type,account_id,person\nbank,main,a,P1\nbank,main,b,P2\n"
        )
        try await intake.load()
        try intake.write(
            "person,account_id,account_type,enterprise\nP1,c,main,bank\n,d,main,bank\n"
        )
        try await intake.load("other")
        let linked = try await intake.bank.read { ledger throws(StoreFailure) in
            guard let account = try ledger.account(Bank.account("a")) else { throw .damaged }
            return try ledger.linkedAccounts(of: account).map(\.id.text)
        }
        #expect(linked == ["a", "c"])
        let links = try await intake.bank.events().filter { $0.kind == .accountsLinked }
        let link = Event(.accountsLinked, of: Bank.account("a").key, in: Bank.account("c"))
        #expect(links == [link])
    }

    @Test func `a token is added to an existing account of the same person only`()
        async throws
    {
        let intake = try await Intake()
        try intake.write(heading + "bank,main,a,P1,,,,,\n")
        try await intake.load()
        try intake.write(
            heading + "bank,main,a,P2,S1,\(secret),,,\nbank,main,4711,P1,S2,\(secret),,,\n"
                + "bank,main,a,P1,S3,\(secret),,,\nbank,main,a,,S4,\(secret),,,\n"
        )
        let (record, rejections) = try await intake.load("tokens")
        #expect(rejections == [2: .otherPerson, 3: .otherPerson])
        #expect([record.accounts, record.tokens] == [0, 2])
    }

    @Test(
        arguments: [
            ("bank,main,a,,,,,", .fieldCount(8, expected: 9)),
            ("bank,main,a,,,,,,,", .fieldCount(10, expected: 9)),
            ("", .fieldCount(1, expected: 9)),
            (#"bank,main,"a"#, .quoting),
            ("bank,main,a b,,,,,,", .accountID), ("bank,,a,,,,,,", .accountType),
            ("ba/nk,main,a,,,,,,", .enterprise), ("other,main,a,,,,,,", .unknownEnterprise),
            ("bank,main,4711,,,,,,", .accountExists),
            ("bank,main,a,,S1,,,,", .incompleteToken), ("bank,main,a,,,,,6,", .incompleteToken),
            ("bank,main,a,,,\(secret),,,", .incompleteToken),
            ("bank,main,a,,S\u{202e}1,\(secret),,,", .serial),
            ("bank,main,a,,S1,5a5,,,", .secret), ("bank,main,a,,S1,zz,,,", .secret),
            ("bank,main,a,,S1,5a5a,,,", .secretTooShort(byteCount: 2)),
            ("bank,main,a,,S1,\(String(repeating: "5a", count: 513)),,,", .secretTooLong),
            ("bank,main,a,,S1,\(secret),MD5,,", .algorithm),
            ("bank,main,a,,S1,\(secret),sha1,,", .algorithm),
            ("bank,main,a,,S1,\(secret),,5,", .digits), ("bank,main,a,,S1,\(secret),,06,", .digits),
            ("bank,main,a,,S1,\(secret),,9,", .digits),
            ("bank,main,a,,S1,\(secret),,,-1", .counter),
            ("bank,main,a,,S1,\(secret),,,01", .counter),
            ("bank,main,a,,S1,\(secret),,,1099511627777", .counter),
            ("bank,main,a,,OLD,\(secret),,,", .token(.exists)),
            ("bank,main,full,,S1,\(secret),,,", .token(.tooManyDevices)),
        ] as [(String, RowRefusal)]
    )
    func `each wrong row is skipped, and the others are loaded`(
        _ row: (line: String, reason: RowRefusal)
    ) async throws {
        let intake = try await Intake(
            policy: #"{"minimumTokenDigits": 6, "devicesPerAccount": 1}"#
        )
        try intake.write(heading + "bank,main,full,,OLD,\(secret),,,\n")
        try await intake.load("before")
        try intake.write(heading + "bank,main,x,,,,,,\n\(row.line)\nbank,main,z,,,,,,\n")
        let (record, rejections) = try await intake.load()
        #expect(rejections == [3: row.reason])
        #expect([record.line, record.accounts, record.rejected] == [4, 2, 1])
        let ids = try await intake.bank.events().filter { $0.kind == .accountCreated }
            .map(\.subject)
        #expect(ids == ["main/4711", "main/full", "main/x", "main/z"])
    }

    @Test func `a row that is not UTF-8 is skipped`() async throws {
        let intake = try await Intake()
        try intake.write(
            Array((heading + "bank,main,").utf8) + [0xc3, 0x28] + Array(",,,,,,\n".utf8)
        )
        #expect(try await intake.load().1 == [2: .notText])
    }

    /// Excel writes it in its format "CSV UTF-8".
    @Test func `a byte order mark before the header is accepted`() async throws {
        let intake = try await Intake()
        try intake.write("\u{feff}" + heading + "bank,main,a,,,,,,\n")
        let (record, rejections) = try await intake.load()
        #expect(rejections == [:])
        #expect(record.accounts == 1)
    }

    @Test func `a token is added to an existing account`() async throws {
        let intake = try await Intake()
        try intake.write(heading + "bank,main,4711,,S1,\(secret),SHA256,8,\n")
        let (record, rejections) = try await intake.load()
        #expect(rejections == [:])
        #expect([record.accounts, record.tokens] == [0, 1])
    }

    @Test func `SEC-06: tokens that the policy does not accept are skipped`() async throws {
        let intake = try await Intake(policy: "{}")
        try intake.write(heading + "bank,main,a,,S1,\(secret),,,\n")
        #expect(try await intake.load().1 == [2: .token(.policy)])
        // The account of the skipped token is not added either.
        #expect(try await intake.accountCount() == 1)
    }

    @Test(
        arguments: [
            ("", .absent), (#"enterprise,"account_type"#, .quoting),
            ("enterprise,account_type\n", .missingColumn("account_id")),
            ("enterprise,account_type,account_id,PIN\n", .unknownColumn(4)),
            ("enterprise,account_type,account_id,person,person\n", .repeatedColumn("person")),
            ("\u{feff}\u{feff}enterprise,account_type,account_id\n", .unknownColumn(1)),
            ("\u{feff}", .unknownColumn(1)),
            ("enterprise,\u{feff}account_type,account_id\n", .unknownColumn(2)),
            (
                "enterprise,account_type,account_id,token_secret_hex,token_secret_base32\n",
                .twoSecrets
            ),
        ] as [(String, LoadFailure.HeaderFailure)]
    )
    func `a file with an invalid header is refused`(
        _ row: (text: String, failure: LoadFailure.HeaderFailure)
    ) async throws {
        let intake = try await Intake()
        try intake.write(row.text)
        #expect(throws: LoadFailure.header(row.failure)) { try AccountCSV(intake.path) }
    }

    @Test func `a file that others can read, or a symbolic link, is refused`() async throws {
        let intake = try await Intake()
        try intake.write(heading, permissions: 0o640)
        #expect(throws: LoadFailure.file(.unsafe(.openToOthers))) {
            try AccountCSV(intake.path)
        }
        let link = intake.folder.path + "/link"
        symlink(intake.path, link)
        #expect(throws: LoadFailure.file(.unsafe(.symbolicLink))) { try AccountCSV(link) }
        #expect(throws: LoadFailure.file(.missing)) { try AccountCSV(intake.path + "0") }
    }

    @Test(arguments: [(4000, nil), (4001, LoadFailure.lineTooLong)] as [(Int, LoadFailure?)])
    func `a load stops at a line that is too long`(
        _ row: (count: Int, failure: LoadFailure?)
    ) async throws {
        let intake = try await Intake()
        let start = "bank,main,b,"
        let long = start + String(repeating: "x", count: row.count - start.count - 5) + ",,,,,"
        try intake.write(heading + "bank,main,a,,,,,,\n" + long + "\nbank,main,c,,,,,,\n")
        do {
            let (record, _) = try await intake.load()
            #expect(row.failure == nil)
            #expect(record.accounts == 3)
        } catch let failure as LoadFailure {
            #expect(failure == row.failure)
            #expect(try await intake.accountCount() == 1)
        }
    }

    @Test func `thousands of rows are loaded in many steps, each with its audit records`()
        async throws
    {
        let intake = try await Intake()
        let rows = (0..<3000).map { "bank,main,a\($0),,S\($0),\(secret),,," }
        try intake.write(heading + rows.joined(separator: "\n"))
        let load = BulkLoad(name: ImportName(checked: "many"))
        var steps = 0
        let record = try await intake.bank.verifier.load(
            try AccountCSV(intake.path),
            load,
            by: .operatorCommand
        ) { step in
            steps += 1
            #expect(
                step.bytesLoaded <= heading.utf8.count + rows.joined(separator: "\n").utf8.count
            )
        }
        #expect(steps > 3)
        #expect([record.line, record.accounts, record.tokens] == [3001, 3000, 3000])
        #expect(try await intake.accountCount() == 3001)
        #expect(try await intake.bank.count(of: .tokenAdded) == 3000)
    }

    @Test func `the store contains no secret and no test of a secret`() async throws {
        let intake = try await Intake()
        try intake.write(heading + "bank,main,a,,S1,\(secret),,,\n")
        let (record, _) = try await intake.load()
        #expect(try !intake.bank.isOnDisk([UInt8](repeating: 0x5a, count: 20)))
        #expect(try !intake.bank.isOnDisk(secret.utf8))
        #expect(try intake.bank.isOnDisk(record.digest))
        // The same file has another digest elsewhere, because each store has its own key.
        let other = try await Intake()
        try other.write(heading + "bank,main,a,,S1,\(secret),,,\n")
        #expect(try await other.load().0.digest != record.digest)
    }
}
