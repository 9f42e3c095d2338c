import Cryptography
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `Bank API tokens` {
    private let bank: Bank

    init() async throws {
        bank = try await Bank()
    }

    @Test func `a token is valid for its role and reach, for every holder of its text`()
        async throws
    {
        let text = try await bank.makeToken("core", for: .issuer, in: Bank.enterprise)
        let token = try #require(try await bank.verifier.token(shown: text))
        #expect(token.name.text == "core")
        #expect(token.author.actor == .token(name: "core"))
        #expect(token.role == .issuer)
        #expect(token.reach.includes(Bank.enterprise))
        #expect(!token.reach.includes(EnterpriseID(checked: "other")))
        #expect(try await bank.verifier.tokens().tokens == [token])
        let all = try await bank.makeToken("all", for: .auditor, in: nil)
        let reach = try #require(try await bank.verifier.token(shown: all)).reach
        #expect(reach.includes(EnterpriseID(checked: "other")))
    }

    @Test func `a token has its fixed prefix, and no part can be removed or changed`()
        async throws
    {
        let text = try await bank.makeToken()
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("countersign_"))
        #expect(try await bank.verifier.token(shown: nil) == nil)
        for index in text.indices {
            var other = text
            other[index] ^= 1
            #expect(try await bank.verifier.token(shown: other) == nil, "\(index)")
            other.remove(at: index)
            #expect(try await bank.verifier.token(shown: other) == nil, "\(index)")
        }
        let shouted = Array(String(decoding: text, as: UTF8.self).uppercased().utf8)
        #expect(try await bank.verifier.token(shown: shouted) == nil)
        #expect(try await bank.verifier.token(shown: text + text) == nil)
    }

    @Test func `a known id with another secret is invalid, like an unknown id`()
        async throws
    {
        let known = try await bank.makeToken("core")
        let other = try await bank.makeToken("other")
        let id = try #require(try await bank.verifier.token(shown: known)).id
        let forged = try BankTokenText.random().text(as: id)
        #expect(try await bank.verifier.token(shown: forged) == nil)
        let unknown = try BankTokenText.random().text().withBytes { $0.array }
        #expect(try await bank.verifier.token(shown: unknown) == nil)
        #expect(try await bank.verifier.token(shown: other)?.name.text == "other")
    }

    @Test func `a token is valid until exactly its expiry`() async throws {
        let text = try await bank.makeToken(lasting: .seconds(60))
        bank.clock.advance(by: .milliseconds(59_999))
        #expect(try await bank.verifier.token(shown: text) != nil)
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.verifier.token(shown: text) == nil)
    }

    @Test func `SEC-54: a revoked token is invalid at once on each node`() async throws {
        let text = try await bank.makeToken("core")
        let other = bank.verifier(over: try bank.openAgain())
        #expect(try await other.token(shown: text) != nil)
        let name = BankTokenName(checked: "core")
        #expect(try await bank.verifier.revokeToken(named: name, by: .operatorCommand))
        #expect(try await other.token(shown: text) == nil)
        #expect(try await other.revokeToken(named: name, by: .operatorCommand) == false)
        #expect(try await bank.count(of: .bankTokenRevoked) == 1)
    }

    @Test func `a token needs a new name and an existing enterprise`() async throws {
        _ = try await bank.makeToken("core")
        _ = try await bank.verifier.revokeToken(
            named: BankTokenName(checked: "core"),
            by: .operatorCommand
        )
        for (name, enterprise) in [("core", "bank"), ("new", "other")] {
            let before = try await bank.contents()
            await #expect(throws: Bank.Unexpected.self) {
                try await bank.makeToken(name, in: EnterpriseID(checked: enterprise))
            }
            #expect(try await bank.contents() == before)
        }
    }

    @Test func `only a hash of a token is stored`() async throws {
        let text = try await bank.makeToken()
        let secret = text.dropFirst("countersign_".utf8.count + 33).prefix(64)
        #expect(try !bank.isOnDisk(secret))
        let bytes = try TextEncoding.hexadecimal.decode(String(decoding: secret, as: UTF8.self))
        #expect(try !bank.isOnDisk(bytes))
        let digest = try HashAlgorithm.sha256.digest(of: bytes.span).array
        #expect(try bank.isOnDisk(digest))
    }

    @Test func `SEC-66: no role can both run the bank and read the audit trail`() {
        let scopes = BankToken.Role.allCases.map(\.scopes)
        #expect(Set(BankToken.Scope.allCases) == scopes.reduce(into: []) { $0.formUnion($1) })
        #expect(scopes.filter { $0.contains(.audit) } == [[.read, .audit]])
        #expect(scopes.filter { $0.contains(.administration) } == [[.read, .administration]])
    }
}

@Suite(.onEveryStore) struct `Bank tokens on the audit trail` {
    @Test(arguments: [
        "UPDATE bank_tokens SET role = 'administrator'",
        "UPDATE bank_tokens SET enterprise = NULL",
        "UPDATE bank_tokens SET expiry = expiry + 1",
        "UPDATE bank_tokens SET revoked = NULL WHERE revoked IS NOT NULL",
        "DELETE FROM bank_tokens WHERE revoked IS NULL",
        "UPDATE bank_tokens SET secret_digest = substr(secret_digest, 2)",
    ])
    func `SEC-50: an audit finds a changed token row`(
        _ statement: String
    ) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        _ = try await bank.makeToken("core")
        _ = try await bank.makeToken("old")
        _ = try await bank.verifier.revokeToken(
            named: BankTokenName(checked: "old"),
            by: .operatorCommand
        )
        await bank.database.close()
        #expect(try await premises.audit().findings == [])
        try premises.tamper(statement)
        #expect(try await premises.audit().findings != [])
    }

    @Test func `2.11: a revoked token stays revoked after a restore`() async throws {
        let premises = try Premises()
        var bank = try await premises.begin()
        let old = try await bank.makeToken("old")
        let kept = try await bank.makeToken("kept")
        try await premises.store.backUp(to: premises.path + "/backup")
        let newer = try await bank.makeToken("newer")
        for name in ["old", "newer"] {
            _ = try await bank.verifier.revokeToken(
                named: BankTokenName(checked: name),
                by: .operatorCommand
            )
        }
        await bank.database.close()
        try premises.store.putBack(premises.path + "/backup")
        let restoration = try await premises.restore()
        #expect(restoration.unreplayed == [])
        bank = try await premises.open()
        #expect(try await bank.verifier.token(shown: old) == nil)
        #expect(try await bank.verifier.token(shown: newer) == nil)
        #expect(try await bank.verifier.token(shown: kept) != nil)
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }
}

extension BankTokenText {
    /// This secret with another token's id and valid check characters.
    fileprivate func text(as id: BankTokenID) throws -> [UInt8] {
        let own = try text().withBytes { String(decoding: $0.array, as: UTF8.self) }
        let parts = own.split(separator: "_")
        let body = "countersign_\(id)_\(parts[2].prefix(64))"
        let check = try HashAlgorithm.sha256.digest(of: Array(body.utf8).span).array
        return Array((body + TextEncoding.hexadecimal.encode(Array(check[..<4]).span)).utf8)
    }
}
