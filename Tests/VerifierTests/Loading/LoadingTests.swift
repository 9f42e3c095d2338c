import Cryptography
import Foundation
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verifier

private let tokensAllowed = #"{"leastTokenDigits": 6}"#
private let heading =
    "enterprise,account_type,account_id,person,token_serial,token_secret_hex,"
    + "token_algorithm,token_digits,token_counter\n"
private let secret = String(repeating: "5a", count: 20)

/// A folder with a file of accounts, and a bank that loads it.
private struct Delivery {
    let bank: Bank
    let folder: TemporaryFolder

    init(policy: String = tokensAllowed, on kind: StoreKind = .sqlite) async throws {
        bank = try await Bank(on: kind, policy: policy)
        folder = try TemporaryFolder()
    }

    var path: String { folder.path + "/accounts.csv" }

    func write(_ text: String, permissions: Int = 0o600) throws {
        try write(Array(text.utf8), permissions: permissions)
    }

    func write(_ bytes: [UInt8], permissions: Int = 0o600) throws {
        let attributes = [FileAttributeKey.posixPermissions: permissions]
        try? FileManager.default.removeItem(atPath: path)
        #expect(
            FileManager.default.createFile(
                atPath: path,
                contents: Data(bytes),
                attributes: attributes
            )
        )
    }

    /// What came of it, and every row that was left out.
    @discardableResult
    func load(
        _ name: String = "file",
        stopsAtRejection: Bool = false
    ) async throws -> (ImportRecord, [UInt64: RowRejection]) {
        try await load(try AccountCSV(path), name, stopsAtRejection: stopsAtRejection)
    }

    func load(
        _ source: some AccountSource,
        _ name: String = "file",
        stopsAtRejection: Bool = false
    ) async throws -> (ImportRecord, [UInt64: RowRejection]) {
        var rejections: [UInt64: RowRejection] = [:]
        let load = BulkLoad(
            name: ImportName(checked: name),
            stopsAtRejection: stopsAtRejection
        )
        let record = try await bank.verifier.load(source, load, by: .operatorCommand) { step in
            for rejection in step.rejections { rejections[rejection.line] = rejection.reason }
        }
        return (record, rejections)
    }

    func accountCount() async throws -> Int {
        try await bank.events().count { $0.kind == .accountCreated }
    }
}

@Suite struct `A file of accounts` {
    @Test(arguments: StoreKind.allCases)
    func `is loaded with its tokens, whose codes are then taken`(_ kind: StoreKind) async throws {
        let delivery = try await Delivery(on: kind)
        let secrets = try (0..<3).map { _ in try randomBytes(count: 20) }
        let rows = secrets.enumerated().map { index, secret in
            "bank,main,a\(index),,S\(index),\(TextEncoding.hexadecimal.encode(secret.span)),,,\(index)"
        }
        try delivery.write(heading + rows.joined(separator: "\r\n") + "\r\nbank,main,plain,,,,,,\n")
        let (record, rejections) = try await delivery.load()
        #expect(rejections == [:])
        #expect([record.line, record.accounts, record.tokens, record.rejected] == [5, 4, 3, 0])
        for (index, secret) in secrets.enumerated() {
            let account = Bank.account("a\(index)")
            let devices = try await delivery.bank.read { ledger throws(StoreFailure) in
                try ledger.devices(of: account)
            }
            let device = try #require(devices.first)
            #expect(device.name == "S\(index)")
            let code = try FinishedProcess.run(
                "oathtool",
                ["--hotp", "--counter=\(index + 3)", TextEncoding.hexadecimal.encode(secret.span)]
            )
            for (call, answer) in [("one", Answer.accepted(nil)), ("two", .wrong(left: 4))] {
                let submission = TypedSubmission(call: call, device: device.id, account: account)
                let typed = code.output.trimmingCharacters(in: .newlines)
                #expect(
                    try await delivery.bank.verifier.verify(typed: typed, submission, by: Bank.core)
                        == answer
                )
            }
        }
    }

    @Test func `links accounts of one person, in whichever file they are`() async throws {
        let delivery = try await Delivery()
        try delivery.write(
            "enterprise,account_type,account_id,person\nbank,main,a,P1\nbank,main,b,P2\n"
        )
        try await delivery.load()
        try delivery.write(
            "person,account_id,account_type,enterprise\nP1,c,main,bank\n,d,main,bank\n"
        )
        try await delivery.load("other")
        let linked = try await delivery.bank.read { ledger throws(StoreFailure) in
            guard let account = try ledger.account(Bank.account("a")) else { throw .damaged }
            return try ledger.linkedAccounts(of: account).map(\.id.text)
        }
        #expect(linked == ["a", "c"])
        let links = try await delivery.bank.events().filter { $0.kind == .accountsLinked }
        let link = Event(.accountsLinked, of: Bank.account("a").key, in: Bank.account("c"))
        #expect(links == [link])
    }

    @Test func `gives a token to an account that is there, unless it is another person's`()
        async throws
    {
        let delivery = try await Delivery()
        try delivery.write(heading + "bank,main,a,P1,,,,,\n")
        try await delivery.load()
        try delivery.write(
            heading + "bank,main,a,P2,S1,\(secret),,,\nbank,main,4711,P1,S2,\(secret),,,\n"
                + "bank,main,a,P1,S3,\(secret),,,\nbank,main,a,,S4,\(secret),,,\n"
        )
        let (record, rejections) = try await delivery.load("tokens")
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
        ] as [(String, RowRejection)]
    )
    func `has each row left out that is wrong, and the others loaded`(
        _ row: (line: String, reason: RowRejection)
    ) async throws {
        let delivery = try await Delivery(
            policy: #"{"leastTokenDigits": 6, "devicesPerAccount": 1}"#
        )
        try delivery.write(heading + "bank,main,full,,OLD,\(secret),,,\n")
        try await delivery.load("before")
        try delivery.write(heading + "bank,main,x,,,,,,\n\(row.line)\nbank,main,z,,,,,,\n")
        let (record, rejections) = try await delivery.load()
        #expect(rejections == [3: row.reason])
        #expect([record.line, record.accounts, record.rejected] == [4, 2, 1])
        let ids = try await delivery.bank.events().filter { $0.kind == .accountCreated }
            .map(\.subject)
        #expect(ids == ["main/4711", "main/full", "main/x", "main/z"])
    }

    @Test func `that is not UTF-8 in a row has that row left out`() async throws {
        let delivery = try await Delivery()
        try delivery.write(
            Array((heading + "bank,main,").utf8) + [0xc3, 0x28] + Array(",,,,,,\n".utf8)
        )
        #expect(try await delivery.load().1 == [2: .notText])
    }

    @Test func `gives a token to an account that is there`() async throws {
        let delivery = try await Delivery()
        try delivery.write(heading + "bank,main,4711,,S1,\(secret),SHA256,8,\n")
        let (record, rejections) = try await delivery.load()
        #expect(rejections == [:])
        #expect([record.accounts, record.tokens] == [0, 1])
    }

    @Test func `SEC-06: has tokens left out that the policy does not take`() async throws {
        let delivery = try await Delivery(policy: "{}")
        try delivery.write(heading + "bank,main,a,,S1,\(secret),,,\n")
        #expect(try await delivery.load().1 == [2: .token(.policy)])
        // Not the account without its token either.
        #expect(try await delivery.accountCount() == 1)
    }

    @Test(
        arguments: [
            ("", .absent), ("enterprise,account_type\n", .missingColumn("account_id")),
            ("enterprise,account_type,account_id,PIN\n", .unknownColumn(4)),
            ("enterprise,account_type,account_id,person,person\n", .repeatedColumn("person")),
            ("\u{feff}enterprise,account_type,account_id\n", .unknownColumn(1)),
            (
                "enterprise,account_type,account_id,token_secret_hex,token_secret_base32\n",
                .twoSecrets
            ),
        ] as [(String, LoadFailure.HeaderFault)]
    )
    func `whose first line names other columns is refused`(
        _ row: (text: String, fault: LoadFailure.HeaderFault)
    ) async throws {
        let delivery = try await Delivery()
        try delivery.write(row.text)
        #expect(throws: LoadFailure.header(row.fault)) { try AccountCSV(delivery.path) }
    }

    @Test func `that others may read, or that is a link, is refused`() async throws {
        let delivery = try await Delivery()
        try delivery.write(heading, permissions: 0o640)
        #expect(throws: LoadFailure.file(.unsafeFile(.openToOthers))) {
            try AccountCSV(delivery.path)
        }
        let link = delivery.folder.path + "/link"
        symlink(delivery.path, link)
        #expect(throws: LoadFailure.file(.unsafeFile(.symbolicLink))) { try AccountCSV(link) }
        #expect(throws: LoadFailure.file(.missing)) { try AccountCSV(delivery.path + "0") }
    }

    @Test(arguments: [(4000, nil), (4001, LoadFailure.lineTooLong)] as [(Int, LoadFailure?)])
    func `ends at a line that is longer than any of ours`(
        _ row: (count: Int, failure: LoadFailure?)
    ) async throws {
        let delivery = try await Delivery()
        let start = "bank,main,b,"
        let long = start + String(repeating: "x", count: row.count - start.count - 5) + ",,,,,"
        try delivery.write(heading + "bank,main,a,,,,,,\n" + long + "\nbank,main,c,,,,,,\n")
        do {
            let (record, _) = try await delivery.load()
            #expect(row.failure == nil)
            #expect(record.accounts == 3)
        } catch let failure as LoadFailure {
            #expect(failure == row.failure)
            #expect(try await delivery.accountCount() == 1)
        }
    }

    @Test func `is loaded once, however often it is asked for`() async throws {
        let delivery = try await Delivery()
        try delivery.write(heading + "bank,main,a,,,,,,\nbank,main,b,,,,,,\n")
        let (first, _) = try await delivery.load()
        let before = try await delivery.bank.contents()
        let (second, rejections) = try await delivery.load()
        #expect(second == first)
        #expect(rejections == [:])
        #expect(try await delivery.bank.contents() == before)
        // Under another name the same rows are other ones, which are there already.
        #expect(try await delivery.load("again").1 == [2: .accountExists, 3: .accountExists])
    }

    @Test func `that grew is loaded from there on`() async throws {
        let delivery = try await Delivery()
        let start = heading + "bank,main,a,,,,,,\n"
        try delivery.write(start)
        try await delivery.load()
        try delivery.write(start + "bank,main,b,,,,,,\n")
        let (record, rejections) = try await delivery.load()
        #expect(rejections == [:])
        #expect([record.line, record.accounts] == [3, 2])
    }

    @Test(arguments: [
        heading + "bank,main,A,,,,,,\nbank,main,b,,,,,,\nbank,main,c,,,,,,\n",
        heading + "bank,main,a,,,,,,\n",
        heading,
        "enterprise,account_type,account_id\nbank,main,a\nbank,main,b\n",
    ])
    func `that began otherwise the last time is refused`(_ other: String) async throws {
        let delivery = try await Delivery()
        try delivery.write(heading + "bank,main,a,,,,,,\nbank,main,b,,,,,,\n")
        try await delivery.load()
        try delivery.write(other)
        let before = try await delivery.bank.contents()
        await #expect(throws: LoadFailure.differentFile) { try await delivery.load() }
        #expect(try await delivery.bank.contents() == before)
    }

    @Test func `may stop at the first wrong row, and go on once that is right`() async throws {
        let delivery = try await Delivery()
        let start = heading + "bank,main,a,,,,,,\n"
        try delivery.write(start + "bank,main,b b,,,,,,\nbank,main,c,,,,,,\n")
        let (stopped, rejections) = try await delivery.load(stopsAtRejection: true)
        #expect(rejections == [3: .accountID])
        #expect([stopped.line, stopped.accounts, stopped.rejected] == [2, 1, 0])
        try delivery.write(start + "bank,main,b,,,,,,\nbank,main,c,,,,,,\n")
        let (record, none) = try await delivery.load(stopsAtRejection: true)
        #expect(none == [:])
        #expect([record.line, record.accounts, record.rejected] == [4, 3, 0])
    }

    @Test func `of thousands of rows is loaded in many steps, each with its records`() async throws
    {
        let delivery = try await Delivery()
        let rows = (0..<3000).map { "bank,main,a\($0),,S\($0),\(secret),,," }
        try delivery.write(heading + rows.joined(separator: "\n"))
        let load = BulkLoad(name: ImportName(checked: "many"))
        var steps = 0
        let record = try await delivery.bank.verifier.load(
            try AccountCSV(delivery.path),
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
        #expect(try await delivery.accountCount() == 3001)
        #expect(try await delivery.bank.count(of: .tokenAdded) == 3000)
    }

    @Test func `leaves no secret in the store, and no test of one`() async throws {
        let delivery = try await Delivery()
        try delivery.write(heading + "bank,main,a,,S1,\(secret),,,\n")
        let (record, _) = try await delivery.load()
        #expect(try !delivery.bank.isOnDisk([UInt8](repeating: 0x5a, count: 20)))
        #expect(try !delivery.bank.isOnDisk(secret.utf8))
        #expect(try delivery.bank.isOnDisk(record.digest))
        // The same file has another digest elsewhere: it is made under the store's own key.
        let other = try await Delivery()
        try other.write(heading + "bank,main,a,,S1,\(secret),,,\n")
        #expect(try await other.load().0.digest != record.digest)
    }
}

@Suite struct `A PSKC document of tokens` {
    private func pskc(
        _ delivery: Delivery,
        unlockedBy unlock: AccountPSKC.Unlock = .nothing
    ) throws -> AccountPSKC {
        try AccountPSKC(
            delivery.path,
            unlockedBy: unlock,
            enterprise: Bank.enterprise,
            type: AccountType(checked: "main")
        )
    }

    private func document(_ keys: [PSKCDocument.Key]) throws -> [UInt8] {
        try PSKCDocument(keys: keys).written(protectedBy: .nothing)
    }

    private func key(_ user: String?, _ change: (inout PSKCDocument.Key) -> Void = { _ in }) throws
        -> PSKCDocument.Key
    {
        var key = PSKCDocument.Key(
            id: "K\(user ?? "")",
            algorithm: .hotp,
            secret: try SecretBytes(hexadecimal: secret)
        )
        key.userID = user
        key.device.serialNumber = "S\(user ?? "")"
        key.responseFormat = PSKCDocument.ResponseFormat(length: 6)
        key.counter = Counter(5)
        change(&key)
        return key
    }

    @Test func `is loaded, each key for the account that its user is`() async throws {
        let delivery = try await Delivery()
        try delivery.write(
            try document([
                try key("4711"), try key("new") { $0.suite = "HMAC-SHA256" },
                try key(nil), try key("b b"),
                try key("totp") { $0.algorithm = .totp },
                try key("limited") { $0.policy.expiryDate = "2030-01-01T00:00:00Z" },
                try key("short") { $0.responseFormat?.length = 5 },
                try key("uncounted") { $0.counter = nil },
            ])
        )
        let (record, rejections) = try await delivery.load(try pskc(delivery))
        #expect(
            rejections == [
                3: .accountID, 4: .accountID, 5: .timeBased, 6: .limitedUse,
                7: .key(.unsupportedResponse), 8: .key(.counterMissing),
            ]
        )
        #expect([record.line, record.accounts, record.tokens, record.rejected] == [8, 1, 2, 6])
        let (again, none) = try await delivery.load(try pskc(delivery))
        #expect(again == record)
        #expect(none == [:])
        try delivery.write(try document([try key("4712"), try key("4713")]))
        await #expect(throws: LoadFailure.differentFile) {
            try await delivery.load(try pskc(delivery))
        }
    }
}
