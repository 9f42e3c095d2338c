import Cryptography
import Foundation
import Storage
import StrictJSON
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

/// An auditor has only the file and the public key that signs the journal.
@Suite(.onEveryStore) struct `A file of evidence` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin()
        phone = try await bank.activate()
    }

    private var key: P256.PublicKey { premises.auditKey.publicKey }

    private func decided(_ decision: Decision = .approve, _ amount: UInt64 = 47_11) async throws
        -> Transaction
    {
        let payment = try await bank.pay(amount)
        try await phone.decide(decision, on: payment, in: bank)
        return payment
    }

    private func file(of payment: Transaction, from bank: Bank? = nil) async throws -> EvidenceFile
    {
        let result = try await (bank ?? self.bank).verifier.evidence(
            of: payment.id,
            in: Bank.account
        )
        guard case .evidence(let file) = result else {
            Issue.record("\(result)")
            throw Bank.Unexpected()
        }
        return file
    }

    @Test(arguments: [Decision.approve, .reject(.notMe)])
    func `SEC-106: proves the decision without the store`(_ decision: Decision) async throws {
        let payment = try await decided(decision)
        let file = try EvidenceFile(json: try await file(of: payment).json)
        let proven = try file.verified(by: key)
        #expect(proven.transaction == payment)
        #expect(proven.choice.decision == decision)
        #expect(proven.device == phone.id)
        #expect(proven.enrolledAccount == Bank.account)
        #expect(proven.decided == bank.clock.now)
        #expect(!proven.isWeb)
    }

    /// Also if one activation enrols several accounts.
    @Test(arguments: [0, 2])
    func `SEC-113: shows that the device is a web browser`(_ linked: Int) async throws {
        try await bank.setPolicy(Bank.webPolicy())
        for number in 0..<linked { _ = try await bank.addLinkedAccount("472\(number)") }
        let browsers = try (0...linked).map { _ in try bank.phone() }
        let issued = try await bank.issueForBrowser().issued()
        let claim = try browsers[0].claim(issued.id, issued.code)
        try await bank.complete(try await bank.offered(claim, to: browsers, issued.code))
        let payment = try await bank.pay()
        try await browsers[0].decide(on: payment, in: bank)
        #expect(try await file(of: payment).verified(by: key).isWeb)
    }

    @Test func `SEC-106: every changed byte is refused`() async throws {
        // The longest part is a list of digests.
        let payment = try await decided()
        for number in 0..<3 { _ = try await bank.addAccount("other-\(number)") }
        let json = try await file(of: payment).json
        _ = try EvidenceFile(json: json).verified(by: key)
        // An odd distance, so that both changes occur.
        for index in Proof.steps(to: json.count - 1, oneOf: 7) {
            // The next character, or the same letter in the other case.
            let bit: UInt8 = index.isMultiple(of: 2) ? 1 : 0x20
            var changed = json
            changed[index] ^= bit
            // `try?`: a malformed file is refused too.
            guard let file = try? EvidenceFile(json: changed) else { continue }
            #expect(throws: EvidenceFlaw.self, "byte \(index) ^ \(bit)") {
                try file.verified(by: key)
            }
        }
    }

    @Test func `another verifier's key is refused`() async throws {
        let file = try await file(of: try await decided())
        let other = try P256.PrivateKey().publicKey
        #expect(throws: EvidenceFlaw.checkpoint(.enrolment)) { try file.verified(by: other) }
    }

    /// The attacker has genuine files, and exchanges their parts.
    @Test func `SEC-106: parts of two files do not make a third one`() async throws {
        let (mine, other) = (
            try await file(of: try await decided(.approve, 1)),
            try await file(of: try await decided(.reject(.unspecified), 2))
        )
        typealias Exchange = (EvidenceFile, EvidenceFile) -> EvidenceFile
        let exchanges: [(Exchange, EvidenceFlaw)] = [
            ({ $0.with(transaction: $1.transaction) }, .deviceSignature),
            ({ $0.with(decision: $1.decision) }, .deviceSignature),
            ({ $0.with(outcome: $1.outcome) }, .deviceSignature),
            ({ $0.with(verdict: $1.verdict) }, .record(.verdict)),
            ({ file, _ in file.with(verdict: file.enrolment) }, .record(.verdict)),
            ({ file, _ in file.with(enrolment: file.verdict) }, .record(.enrolment)),
        ]
        for (index, (exchange, flaw)) in exchanges.enumerated() {
            #expect(throws: flaw, "exchange \(index)") {
                try exchange(mine, other).verified(by: key)
            }
        }
    }

    /// The attacker has a device of their own, and claims its decision for another account.
    @Test func `SEC-106: a device of another account proves nothing`() async throws {
        let payment = try await decided()
        _ = try await bank.addAccount("other")
        let stranger = try await bank.activate(Bank.account("other"))
        let own = try await bank.pay(from: Bank.account("other"))
        try await stranger.decide(on: own, in: bank)
        let result = try await bank.verifier.evidence(of: own.id, in: Bank.account("other"))
        guard case .evidence(let theirs) = result else { throw Bank.Unexpected() }
        let file = try await file(of: payment)
        #expect(throws: EvidenceFlaw.deviceSignature) {
            try file.with(device: theirs.device, enrolment: theirs.enrolment).verified(by: key)
        }
    }

    /// The record of the replacement contains the row of the device with its new account.
    @Test func `SEC-106: a change of the device's row is not its enrolment`() async throws {
        let new = Bank.account("4712")
        #expect(try await bank.replace(by: new) == .done)
        let payment = try await bank.pay(from: new)
        try await phone.decide(on: payment, in: bank)
        let result = try await bank.verifier.evidence(of: payment.id, in: new)
        guard case .evidence(let file) = result else { throw Bank.Unexpected() }
        #expect(try file.verified(by: key).enrolledAccount == Bank.account)
        let moved = file.device.with(account: new)
        let digest = try moved.digest()
        let checkpoint = try #require(try file.verdict.checkpoint.verified(by: key)).checkpoint
        let proof = try await bank.read { ledger throws(StoreFailure) -> AuditProof? in
            let records = try ledger.auditRecords(after: 0, limit: 1000)
            guard
                let change = records.first(where: { $0.contains(moved.row, digest) }),
                let chain = try ledger.chain(from: change, to: checkpoint.head)
            else { return nil }
            return AuditProof(
                record: change,
                previous: Hexadecimal(chain.previous),
                following: chain.following.map { Hexadecimal($0) },
                checkpoint: file.verdict.checkpoint
            )
        }
        let change = try #require(proof)
        #expect(try change.verified(by: key) != nil)
        #expect(throws: EvidenceFlaw.record(.enrolment)) {
            try file.with(device: moved, enrolment: change).verified(by: key)
        }
    }

    @Test func `an undecided or unknown transaction has none`() async throws {
        let payment = try await bank.pay()
        let verifier = bank.verifier
        #expect(try await verifier.evidence(of: payment.id, in: Bank.account) == .undecided)
        #expect(try await verifier.withdraw(payment.id, of: Bank.account, by: Bank.core) == .done)
        #expect(try await verifier.evidence(of: payment.id, in: Bank.account) == .undecided)
        _ = try await bank.addAccount("other")
        let other = Bank.account("other")
        #expect(try await verifier.evidence(of: payment.id, in: other) == .unknownTransaction)
        let unknown = TransactionID(checked: String(repeating: "0", count: 32))
        #expect(try await verifier.evidence(of: unknown, in: Bank.account) == .unknownTransaction)
    }

    @Test func `stays valid after many records, a revocation and a restart`() async throws {
        let payment = try await decided()
        let first = try await file(of: payment)
        for number in 0..<30 {
            _ = try await bank.addAccount("\(number)")
            if number.isMultiple(of: 10) { try await bank.journalNow() }
        }
        _ = try await bank.verifier.revoke(phone.id, of: Bank.account, by: Bank.core)
        await bank.database.close()
        let reopened = try await premises.open()
        let later = try await file(of: payment, from: reopened)
        // The same records and the same signed lines.
        #expect(later == first)
        #expect(try later.verified(by: key).transaction == payment)
        await reopened.database.close()
    }

    @Test func `survives a restore, which discards later records`() async throws {
        let payment = try await decided()
        let before = try await file(of: payment)
        let backup = premises.path + "/backup"
        try await premises.store.backUp(to: backup)
        // These are signed, and then discarded.
        for number in 0..<5 { _ = try await bank.addAccount("discarded-\(number)") }
        try await bank.journalNow()
        await bank.database.close()
        try premises.store.putBack(backup)
        _ = try await premises.restore()
        let restored = try await premises.open()
        #expect(try await file(of: payment, from: restored) == before)
        let new = try await restored.pay(2)
        try await phone.decide(on: new, in: restored)
        let file = try await file(of: new, from: restored)
        #expect(try file.verified(by: key).transaction == new)
        await restored.database.close()
    }

    /// The journal then has one line of the new epoch before the record.
    @Test func `survives a restore of a complete backup`() async throws {
        let backup = premises.path + "/backup"
        let payment = try await decided()
        try await bank.journalNow()
        try await premises.store.backUp(to: backup)
        await bank.database.close()
        try premises.store.putBack(backup)
        _ = try await premises.restore()
        let restored = try await premises.open()
        for number in 0..<3 { _ = try await restored.addAccount("\(number)") }
        let new = try await restored.pay(2)
        try await phone.decide(on: new, in: restored)
        #expect(try await file(of: new, from: restored).verified(by: key).transaction == new)
        #expect(
            try await file(of: payment, from: restored).verified(by: key).transaction == payment
        )
        await restored.database.close()
    }

    /// The attacker makes a file of their own, and computes every hash again.
    @Test func `a record with the highest number is refused`() async throws {
        let file = try await file(of: try await decided())
        let text = String(decoding: try file.json, as: UTF8.self)
        let number = "\"sequence\":\(file.enrolment.record.sequence)"
        let changed = text.replacing(number, with: "\"sequence\":\(UInt64.max)")
        let forged = try EvidenceFile(json: Array(changed.utf8))
        let record = forged.enrolment.record
        let digest = try record.digest()
        let hash = try AuditRecord.hash(
            sequence: record.sequence,
            digest: digest,
            after: forged.enrolment.previous.bytes
        )
        let consistent = AuditProof(
            record: AuditRecord(
                sequence: record.sequence,
                moment: record.moment,
                actor: record.actor,
                event: record.event,
                traces: record.traces,
                hash: hash
            ),
            previous: forged.enrolment.previous,
            following: forged.enrolment.following,
            checkpoint: forged.enrolment.checkpoint
        )
        #expect(throws: EvidenceFlaw.checkpoint(.enrolment)) {
            try forged.with(enrolment: consistent).verified(by: key)
        }
    }

    /// Opening a journal checks only its last line.
    @Test(arguments: ["epoch", "sequence"])
    func `a damaged line of the journal is not used`(_ member: String) async throws {
        let payment = try await decided()
        try await bank.journalNow()
        _ = try await bank.addAccount("later")
        try await bank.journalNow()
        let file = URL(filePath: premises.journalPath)
        let text = try String(contentsOf: file, encoding: .utf8)
        let damaged = text.replacing(try Regex("\"\(member)\":[0-9]+"), maxReplacements: 4) {
            _ in "\"\(member)\":\(UInt64.max)"
        }
        #expect(damaged != text)
        try damaged.write(to: file, atomically: false, encoding: .utf8)
        let result = try await bank.verifier.evidence(of: payment.id, in: Bank.account)
        #expect(result == .uncovered(.enrolment))
    }

    @Test func `a journal that began later does not cover earlier records`() async throws {
        let payment = try await decided()
        for number in 0...EvidenceFile.maximumFollowing {
            _ = try await bank.addAccount("\(number)")
        }
        let path = premises.path + "/second-journal"
        let second = try P256.PrivateKey()
        let ring = bank.verifier.keyRing
        let journal = try await Journal.join(
            at: path,
            signingWith: second,
            over: KeyedStore(bank.database, ring)
        )
        let joined = try Bank(premises, journal: journal, over: bank.database)
        let result = try await joined.verifier.evidence(of: payment.id, in: Bank.account)
        #expect(result == .uncovered(.enrolment))
    }
}

extension EvidenceFile {
    fileprivate func with(
        transaction: Hexadecimal? = nil,
        decision: SignedMessage? = nil,
        outcome: Outcome? = nil,
        device: EnrolledDevice? = nil,
        enrolment: AuditProof? = nil,
        verdict: AuditProof? = nil
    ) -> EvidenceFile {
        EvidenceFile(
            format: format,
            transaction: transaction ?? self.transaction,
            decision: decision ?? self.decision,
            outcome: outcome ?? self.outcome,
            device: device ?? self.device,
            enrolment: enrolment ?? self.enrolment,
            verdict: verdict ?? self.verdict
        )
    }
}

extension EvidenceFile.EnrolledDevice {
    fileprivate func with(account: AccountReference) -> EvidenceFile.EnrolledDevice {
        EvidenceFile.EnrolledDevice(
            id: id,
            enterprise: account.enterprise,
            accountType: account.key.type,
            accountID: account.key.id,
            publicKey: publicKey,
            name: name,
            activated: activated
        )
    }
}
