import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// A writer of the database changes which device is a web browser.
@Suite(.onEveryStore) struct `The mark of a web browser` {
    private let premises: Premises
    private let bank: Bank
    private let app: Phone
    private let web: Phone

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin(policy: Bank.webPolicy(ceiling: 30_00))
        app = try await bank.activate()
        web = try await bank.activateBrowser()
    }

    @Test(
        arguments: [
            "is_web = NULL", "is_web = NULL, waits = NULL", "is_web = NULL, waiting_amounts = tag",
            "is_web = NULL, tag = (SELECT tag FROM devices WHERE is_web IS NULL)",
        ]
    )
    func `SEC-101, SEC-113: cannot be removed from a device, and an audit finds it`(
        _ change: String
    ) async throws {
        let payment = try await bank.pay(30_01)
        let approval = try InBandQuestion.approval(of: payment)
        let attempt = try await web.attempt(over: approval, in: bank)
        let code = try await web.typedCode(in: bank)
        try premises.tamper("UPDATE devices SET \(change) WHERE is_web = 1")
        await expectForgery { try await web.send(on: payment, attempt, to: bank.verifier) }
        await expectForgery { try await web.type(code, in: bank) }
        try await expectFindings("devices id=\(web.id)")
    }

    @Test func `SEC-101, SEC-113: cannot be added to a device, and an audit finds it`()
        async throws
    {
        let payment = try await bank.pay(30_00)
        let approval = try InBandQuestion.approval(of: payment)
        let attempt = try await app.attempt(over: approval, in: bank)
        try premises.tamper("UPDATE devices SET is_web = 1 WHERE is_web IS NULL")
        await expectForgery { try await app.send(on: payment, attempt, to: bank.verifier) }
        try await expectFindings("devices id=\(app.id)")
    }

    @Test(arguments: [true, false])
    func `SEC-101, SEC-113: cannot be changed on an activation, before or after the claim`(
        _ isClaimed: Bool
    ) async throws {
        for isWeb in [true, false] {
            let issued = try await bank.verifier.issueActivation(
                for: Bank.account,
                isWeb: isWeb,
                by: Bank.core
            ).issued()
            let phone = try bank.phone()
            let claim = try phone.claim(issued.id, issued.code)
            let change = "is_web = \(isWeb ? "NULL" : "1")"
            let row = "WHERE id = '\(issued.id)'"
            guard isClaimed else {
                try premises.tamper("UPDATE activations SET \(change) \(row)")
                await expectForgery { try await bank.verifier.claim(claim) }
                try premises.tamper(
                    "UPDATE activations SET is_web = \(isWeb ? "1" : "NULL") \(row)"
                )
                continue
            }
            let commit = try await bank.offered(claim, to: [phone], issued.code)
            try premises.tamper("UPDATE activations SET \(change) \(row)")
            await expectForgery { try await bank.verifier.commit(commit) }
            try premises.tamper("UPDATE activations SET is_web = \(isWeb ? "1" : "NULL") \(row)")
            try await bank.complete(commit)
            #expect(try await bank.credential(of: phone).device.isWeb == isWeb)
        }
    }

    @Test func `SEC-113: an activation with another mark is a finding, also with the keys`()
        async throws
    {
        let issued = try await bank.issueForBrowser().issued()
        let used = try await bank.events().filter { $0.kind == .activationIssued }
            .first { $0.detail.isEmpty }
        try premises.tamper(
            """
            UPDATE activations SET is_web = NULL WHERE id = '\(issued.id)';
            UPDATE activations SET is_web = 1 WHERE id = '\(used?.subject ?? "")'
            """
        )
        try await expectFindings(
            "activations id=\(issued.id)",
            "activations id=\(used?.subject ?? "")"
        )
    }

    private func expectForgery(_ body: () async throws -> some Any) async {
        let failure = await #expect(throws: Verifier.Failure.self) { _ = try await body() }
        guard case .store(let reason)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.isForgery)
    }

    /// Also if the attacker has the keys.
    private func expectFindings(_ rows: String...) async throws {
        await bank.database.close()
        #expect(try await Set(premises.audit().findings.map(\.kind.row)) == Set(rows))
        try await premises.tamperWithKeys("SELECT 1 WHERE 1 = 0")
        #expect(try await Set(premises.audit().findings.map(\.kind.row)) == Set(rows))
    }
}
