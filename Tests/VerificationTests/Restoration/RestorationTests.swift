import Cryptography
import Foundation
import OneTimePassword
import Sealing
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import PrivateFiles
@testable import Storage
@testable import Verification

/// A restored backup must not make old credentials and codes valid again (SECURITY.md, 2.11).
@Suite(.onEveryStore) struct `A restore from a backup` {
    private let premises: Premises
    private let backup: String

    init() throws {
        premises = try Premises()
        backup = premises.path + "/backup"
    }

    private func backUp(_ bank: Bank) async throws {
        try await premises.store.backUp(to: backup)
    }

    private func putBack(_ bank: Bank) async throws {
        await bank.database.close()
        try premises.store.putBack(backup)
    }

    private func failure(of open: () async throws -> Bank) async throws -> JournalFailure? {
        do {
            await (try await open()).database.close()
            return nil
        } catch let failure as JournalFailure {
            return failure
        }
    }

    @Test func `is required before a verifier starts, and the error names the missing records`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await backUp(bank)
        let start = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        try await bank.revoke(phone)
        try await putBack(bank)
        let refusal = JournalFailure.behind(store: start.sequence, journal: start.sequence + 1)
        #expect(try await failure(of: premises.open) == refusal)
        _ = try await premises.restore()
        #expect(try await failure(of: premises.open) == nil)
    }

    @Test func `reports the records that the store lacks, also if it made others`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await bank.journalNow()
        try await backUp(bank)
        let kept = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        bank.clock.advance(by: .seconds(60))
        try await bank.revoke(phone)
        let revoked = bank.clock.now
        bank.clock.advance(by: .seconds(60))
        _ = try await bank.activate("4712")
        try await bank.journalNow()
        let end = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        try await putBack(bank)
        // A release without a journal, or another tool, let the backup continue.
        let store = try premises.openStore()
        let other = try Bank(premises, journal: nil, over: store)
        _ = try await other.activate("4713")
        await store.close()

        let lost = try await premises.restore().lostRecords
        #expect(lost.previous == kept)
        #expect(lost.first == kept.sequence + 1)
        #expect(lost.start == revoked)
        #expect(lost.last == end)
        bank = try await premises.open()
        await bank.database.close()
    }

    @Test func `has no time before the lost records, even after a clock that was set back`()
        async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await backUp(bank)
        bank.clock.advance(by: .seconds(3600))
        try await bank.revoke(phone)
        let revoked = bank.clock.now
        try await putBack(bank)
        premises.clock.advance(by: .seconds(-3600))
        _ = try await premises.restore()
        bank = try await premises.open()
        let state = try await bank.read { ledger throws(StoreFailure) in try ledger.state() }
        #expect(state.audit.moment >= revoked)
        await bank.database.close()
    }

    @Test func `reports the records since an earlier restore of an older backup`() async throws {
        let (sunday, monday) = (premises.path + "/sunday", premises.path + "/monday")
        var bank = try await premises.begin()
        _ = try await bank.activate()
        try await premises.store.backUp(to: sunday)
        let kept = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        _ = try await bank.activate("4712")
        try await bank.journalNow()
        _ = try await bank.activate("4713")
        try await premises.store.backUp(to: monday)
        await bank.database.close()
        try premises.store.putBack(sunday)
        _ = try await premises.restore()
        bank = try await premises.open()
        _ = try await bank.activate("4714")
        try await bank.journalNow()
        let end = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        await bank.database.close()
        try premises.store.putBack(monday)
        let lost = try await premises.restore().lostRecords
        #expect(lost.previous == kept)
        #expect(lost.last == end)
        #expect(!lost.isEmpty)
    }

    @Test func `keeps used device API codes invalid, and the user's device still works`()
        async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let payments = [try await bank.pay(1), try await bank.pay(2), try await bank.pay(3)]
        try await backUp(bank)
        var used: [(Transaction, Attempt)] = []
        for payment in payments {
            let question = InBandQuestion.decision(try TransactionHash(of: payment), .approve, nil)
            let attempt = try await phone.attempt(over: question, in: bank)
            let result = try await phone.send(on: payment, attempt, to: bank.verifier)
            #expect(result == .accepted(nil))
            used.append((payment, attempt))
        }
        let check = try await phone.attempt(over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(check) == .accepted(nil))
        try await bank.revoke(try await bank.activate("4712").1)
        try await putBack(bank)

        let restoration = try await premises.restore()
        #expect(restoration.epoch == Epoch(1))
        #expect(restoration.voidedTransactions == 3)
        bank = try await premises.open()
        #expect(try await bank.count(of: .transactionVoided) == 3)
        for (payment, attempt) in used {
            let result = try await phone.send(on: payment, attempt, to: bank.verifier)
            #expect(result == .refused(.alreadyDecided(.void)))
        }
        // The same question as before, at a counter that is unused again: only the epoch differs.
        #expect(try await bank.verifier.checkPIN(check) == .refused(.epochMismatch))
        let claimed = check.code.with(epoch: restoration.epoch)
        let replayed = try await bank.verifier.checkPIN(Attempt(device: phone.id, code: claimed))
        #expect(replayed == .wrong(left: 4))

        let payment = try await bank.pay()
        let question = InBandQuestion.decision(try TransactionHash(of: payment), .approve, nil)
        let attempt = try await phone.attempt(over: question, ahead: 4, in: bank)
        let result = try await phone.send(on: payment, attempt, to: bank.verifier)
        #expect(result == .accepted(nil))
    }

    @Test
    func `refuses typed codes without a failure until a device API code confirms the counter`()
        async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await backUp(bank)
        let used = try await phone.typedCode(in: bank)
        #expect(try await phone.type(used, in: bank) == .accepted(nil))
        try await bank.journalNow()
        try await putBack(bank)
        _ = try await premises.restore()
        bank = try await premises.open()

        for call in 1...10 {
            let result = try await phone.type(used, call: "again-\(call)", in: bank)
            #expect(result == .refused(.counterUnconfirmed))
        }
        let check = try await phone.attempt(over: .pinCheck, ahead: 1, in: bank)
        #expect(try await bank.verifier.checkPIN(check) == .accepted(nil))
        #expect(
            try await phone.type(used, call: "last", in: bank) == .refused(.codeUsed)
        )
        let next = try await phone.typedCode(in: bank)
        #expect(try await phone.type(next, call: "next", in: bank) == .accepted(nil))
    }

    @Test
    func `SEC-04: keeps used typed codes invalid if the journal is not newer than the backup`()
        async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        // The journal contains neither the payment nor the used code before its next checkpoint.
        _ = try await bank.pay()
        try await backUp(bank)
        let used = try await phone.typedCode(in: bank)
        #expect(try await phone.type(used, in: bank) == .accepted(nil))
        try await putBack(bank)
        if StoreKind.current == .sqlite {
            #expect(try await failure(of: premises.open) == .unrestored)
        }
        let restoration = try await premises.restore()
        #expect(restoration.epoch == Epoch(1))
        bank = try await premises.open()
        let result = try await phone.type(used, call: "again", in: bank)
        #expect(result == .refused(.counterUnconfirmed))
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `keeps revoked, blocked, disabled and rekeyed credentials invalid`() async throws {
        var bank = try await premises.begin()
        let (_, revoked) = try await bank.activate("revoked")
        let (_, blocked) = try await bank.activate("blocked")
        let (_, disabled) = try await bank.activate("disabled")
        let (_, rekeyed) = try await bank.activate("rekeyed")
        let (_, honest) = try await bank.activate("honest")
        try await backUp(bank)
        try await bank.revoke(revoked)
        try await blocked.guessUntilBlocked(in: bank)
        try await bank.setEnabled(false, disabled)
        #expect(try await rekeyed.changePIN(in: bank) == .accepted(nil))
        try await putBack(bank)

        let restoration = try await premises.restore()
        #expect(restoration.replayed == 4)
        #expect(restoration.unreplayed == [])
        bank = try await premises.open()
        let expected: [(Phone, AttemptResult)] = [
            (revoked, .refused(.deviceRevoked)), (blocked, .refused(.blocked)),
            (disabled, .refused(.credentialDisabled)), (rekeyed, .refused(.generationMismatch)),
            (honest, .accepted(nil)),
        ]
        for (phone, result) in expected {
            let attempt = try await phone.attempt(over: .pinCheck, in: bank)
            #expect(try await bank.verifier.checkPIN(attempt) == result)
        }
        #expect(try await bank.credential(of: blocked).device.status == .blocked)
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `keeps removed biometrics invalid until the user sets them up again`()
        async throws
    {
        var bank = try await premises.begin()
        let (_, phone) = try await bank.activate("removed")
        let before = try await phone.rekey(.biometric, in: bank)
        #expect(try await phone.send(before, in: bank) == .accepted(nil))
        try await backUp(bank)
        let removal = try await bank.verifier.removeBiometrics(from: phone.id, attempt: .random())
        #expect(removal == .accepted(nil))
        try await putBack(bank)

        #expect(try await premises.restore().replayed == 1)
        bank = try await premises.open()
        #expect(try await bank.credential(.biometric, of: phone).credential.status == .outdated)
        #expect(try await bank.count(of: .credentialOutdated) == 1)
        let after = try await phone.rekey(.biometric, in: bank)
        #expect(try await phone.send(after, in: bank) == .accepted(nil))
        let credential = try await bank.credential(.biometric, of: phone).credential
        #expect(credential.status == .active)
        #expect(credential.generation == Generation(1))
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    /// The changes of biometrics between the backup and the restore.
    enum BiometricChanges: CaseIterable {
        case disabledAndRekeyed, rekeyedAndDisabled, removedAndDisabled, disabledAndRemoved
    }

    @Test(arguments: BiometricChanges.allCases)
    func `keeps biometrics disabled that the bank disabled, also after a new rekey`(
        _ changes: BiometricChanges
    ) async throws {
        var bank = try await premises.begin()
        let (_, phone) = try await bank.activate("disabled")
        let turnOn = { (bank: Bank) async throws in
            let rekey = try await phone.rekey(.biometric, in: bank)
            #expect(try await phone.send(rekey, in: bank) == .accepted(nil))
        }
        let remove = { (bank: Bank) async throws in
            let result = try await bank.verifier.removeBiometrics(
                from: phone.id,
                attempt: .random()
            )
            #expect(result == .accepted(nil))
        }
        let disable = { (bank: Bank) async throws in
            #expect(try await bank.setEnabled(false, phone, .biometric) == .done)
        }
        try await turnOn(bank)
        try await backUp(bank)
        let steps =
            switch changes {
            case .disabledAndRekeyed: [disable, turnOn]
            case .rekeyedAndDisabled: [turnOn, disable]
            case .removedAndDisabled: [remove, disable]
            case .disabledAndRemoved: [disable, remove]
            }
        for step in steps { try await step(bank) }
        try await putBack(bank)

        #expect(try await premises.restore().replayed == 2)
        bank = try await premises.open()
        try await turnOn(bank)
        let off = try await bank.credential(.biometric, of: phone).credential
        #expect(off.status == .disabled)
        #expect(try await bank.setEnabled(true, phone, .biometric) == .done)
        let on = try await bank.credential(.biometric, of: phone).credential
        #expect(on.status == .active)
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `keeps all devices blocked that were blocked together`() async throws {
        var bank = try await premises.begin()
        _ = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        try await backUp(bank)
        try await phones[1].guessUntilBlocked(in: bank)
        try await putBack(bank)

        #expect(try await premises.restore().unreplayed == [])
        bank = try await premises.open()
        for phone in phones {
            #expect(try await bank.verifier.status(of: phone.id)?.status == .blocked)
        }
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `replays the changes of a device after its account was replaced`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await backUp(bank)
        let accounts = [Bank.account, Bank.account("4712"), Bank.account("4713")]
        for (old, new) in zip(accounts, accounts.dropFirst()) {
            #expect(try await bank.verifier.replace(old, by: new.key, by: Bank.core) == .done)
        }
        #expect(try await phone.changePIN(in: bank) == .accepted(nil))
        try await putBack(bank)

        let restoration = try await premises.restore()
        #expect(restoration.replayed == 1)
        // The restored store no longer has the replacements, so the bank gets a list of them.
        #expect(
            restoration.unreplayed.map(\.event.kind) == [.accountReplaced, .accountReplaced]
        )
        bank = try await premises.open()
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(attempt) == .refused(.generationMismatch))
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `SEC-53: links no account that was unlinked since the backup`() async throws {
        var bank = try await premises.begin()
        let other = try await bank.addLinkedAccount("4712")
        let third = try await bank.addLinkedAccount("4713")
        try await backUp(bank)
        let unlinked = try await bank.verifier.unlink(other.key, from: Bank.account, by: Bank.core)
        #expect(unlinked == .done)
        try await putBack(bank)

        let restoration = try await premises.restore()
        #expect(restoration.replayed == 1)
        #expect(restoration.unreplayed == [])
        bank = try await premises.open()
        let linked = try await bank.read { ledger throws(StoreFailure) in
            try [other, third].map { account throws(StoreFailure) in
                guard let account = try ledger.account(account) else { throw .damaged }
                return try ledger.linkedAccounts(of: account)
            }
        }
        #expect(linked == [[other.key], [Bank.account.key, third.key]])
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    /// PostgreSQL ends other transactions after seconds.
    @Test func `may take minutes in a large store`() async throws {
        let bank = try await premises.begin()
        await bank.database.close()
        let store = WatchedDatabase(try premises.openStore())
        _ = try await Journal.restore(
            KeyedStore(store, KeyRing(premises.keys)),
            journalAt: premises.journalPath,
            signingWith: premises.auditKey,
            clock: premises.clock.verifierClock
        )
        #expect(store.statements.contains("rewrite"))
        #expect(!store.statements.contains("write"))
        await store.close()
    }

    @Test func `handles opposite account replacements that two restores discarded`() async throws {
        let (one, two) = (Bank.account("1"), Bank.account("2"))
        let accounts = FormerAccounts(
            try [(one, two), (two, one)].map { old, new in
                let event = Event(.accountReplaced, of: new.key, in: old)
                return try AuditHead.empty.following(
                    event,
                    with: [],
                    by: .verifier,
                    at: .earliest
                )
            }
        )
        #expect(accounts.all(of: one) == [one, two])
        #expect(accounts.all(of: Bank.account) == [Bank.account])
    }

    @Test func `keeps activations invalid, whether they were used or not`() async throws {
        var bank = try await premises.begin()
        let (usedAccount, unusedAccount) = (
            try await bank.addAccount("used"), try await bank.addAccount("unused")
        )
        let used = try await bank.verifier.issueActivation(for: usedAccount, by: .operatorCommand)
            .issued()
        let unused = try await bank.verifier.issueActivation(
            for: unusedAccount,
            by: .operatorCommand
        ).issued()
        try await backUp(bank)
        let phone = try Phone(agreeingWith: bank.agreementKey.publicKey)
        let claim = try phone.claim(used.id, used.code)
        guard case .offered(let offer, let mac) = try await bank.verifier.claim(claim) else {
            throw Bank.Unexpected()
        }
        let commit = try phone.commit(claim, offer, mac: mac, used.code)
        try await bank.complete(commit)
        try await putBack(bank)

        let restoration = try await premises.restore()
        #expect(restoration.closedActivations == 2)
        // The restore names the device that is not in the backup.
        #expect(restoration.unreplayed.map(\.event.kind) == [.deviceActivated])
        #expect(restoration.unreplayed.map(\.event.subject) == [phone.id.description])
        bank = try await premises.open()
        let refused = ClaimResult.refused(.codeInvalid)
        #expect(try await bank.verifier.claim(claim) == refused)
        let other = try Phone(agreeingWith: bank.agreementKey.publicKey)
        #expect(try await bank.verifier.claim(other.claim(unused.id, unused.code)) == refused)
    }

    @Test func `keeps a redeemed login invalid`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let data = [UInt8](repeating: 7, count: 32)
        let digest = try #require(Digest(sha256: data))
        let attempt = try await phone.attempt(over: .login(digest), in: bank)
        let result = try await bank.verifier.logIn(over: data, by: .userPIN, attempt)
        guard case .accepted(let login?) = result else { throw Bank.Unexpected() }
        try await backUp(bank)
        let redemption = try await bank.verifier.redeemLogin(
            login,
            of: Bank.account,
            over: data,
            by: .operatorCommand
        )
        guard case .redeemed = redemption else { throw Bank.Unexpected() }
        try await bank.journalNow()
        try await putBack(bank)
        _ = try await premises.restore()
        bank = try await premises.open()
        let again = try await bank.verifier.redeemLogin(
            login,
            of: Bank.account,
            over: data,
            by: .operatorCommand
        )
        #expect(again == .unknown)
    }

    @Test func `gets a new epoch each time, also from the same backup`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await backUp(bank)
        try await bank.revoke(try await bank.activate("4712").1)
        for expected: UInt64 in 1...3 {
            try await putBack(bank)
            let restoration = try await premises.restore()
            #expect(restoration.epoch == Epoch(expected))
            bank = try await premises.open()
            let check = try await phone.attempt(over: .pinCheck, in: bank)
            #expect(try await bank.verifier.checkPIN(check) == .accepted(nil))
        }
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `keeps devices revoked that were revoked after an earlier restore`() async throws {
        var bank = try await premises.begin()
        let first = try await bank.activate("first").1
        let second = try await bank.activate("second").1
        try await backUp(bank)
        try await bank.revoke(first)
        try await putBack(bank)
        _ = try await premises.restore()
        bank = try await premises.open()
        try await bank.revoke(second)
        try await putBack(bank)
        _ = try await premises.restore()
        bank = try await premises.open()
        for phone in [first, second] {
            #expect(try await bank.credential(of: phone).device.status == .revoked)
        }
    }

    @Test func `keeps a device revoked after restores of an older and a newer backup`() async throws
    {
        let (sunday, monday) = (premises.path + "/sunday", premises.path + "/monday")
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await premises.store.backUp(to: sunday)
        _ = try await bank.activate("later")
        try await premises.store.backUp(to: monday)
        try await bank.revoke(phone)
        for backup in [sunday, monday] {
            await bank.database.close()
            try premises.store.putBack(backup)
            _ = try await premises.restore()
            bank = try await premises.open()
            #expect(try await bank.credential(of: phone).device.status == .revoked)
        }
    }

    @Test func `keeps a credential enabled that was enabled after an earlier restore`() async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await backUp(bank)
        try await bank.setEnabled(false, phone)
        try await putBack(bank)
        _ = try await premises.restore()
        bank = try await premises.open()
        try await bank.setEnabled(true, phone)
        try await bank.journalNow()
        try FileManager.default.removeItem(atPath: backup)
        try await backUp(bank)
        try await bank.revoke(try await bank.activate("later").1)
        try await putBack(bank)
        _ = try await premises.restore()
        bank = try await premises.open()
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
    }

    @Test func `without the journal needs an operator's command, and changes the epoch`()
        async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let check = try await phone.attempt(over: .pinCheck, in: bank)
        await bank.database.close()
        unlink(premises.journalPath)
        #expect(try await failure(of: premises.open) == .file(.missing))

        let store = try premises.openStore()
        let restoration = try await Journal.restore(
            KeyedStore(store, KeyRing(premises.keys)),
            beginningJournalAt: premises.journalPath,
            signingWith: premises.auditKey,
            clock: premises.clock.verifierClock
        )
        await store.close()
        #expect(restoration.lost == nil)
        #expect(restoration.epoch.value > 1)
        bank = try await premises.open()
        #expect(try await bank.verifier.checkPIN(check) == .refused(.epochMismatch))
        let again = try await phone.attempt(over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(again) == .accepted(nil))
    }

    @Test func `is required for a store that contradicts its journal`() async throws {
        var bank = try await premises.begin()
        _ = try await bank.activate()
        await bank.database.close()
        // A copy of the same store that is used without its journal.
        let copy = premises.path + "/copy"
        try await premises.store.backUp(to: copy)
        bank = try await premises.open()
        _ = try await bank.activate("4712")
        let seen = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        await bank.database.close()
        try premises.store.putBack(copy)
        bank = try Bank(premises)
        for name in ["a", "b", "c"] { _ = try await bank.activate(name) }
        await bank.database.close()
        #expect(try await failure(of: premises.open) == .forked(at: seen.sequence))
    }

    @Test func `records the lost head and the new epoch in the trail`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await backUp(bank)
        let backedUp = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit
        }
        try await bank.revoke(phone)
        let lost = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        try await putBack(bank)
        let restoration = try await premises.restore()
        #expect(restoration.backup == backedUp)
        #expect(restoration.lost?.head == lost)
        bank = try await premises.open()
        let record = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: backedUp.sequence, limit: 1)
        }
        #expect(record.map(\.event.kind) == [.storeRestored])
        let hash = lost.hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(
            record.map(\.event.detail) == ["epoch 1 lost \(lost.sequence) \(hash.joined())"]
        )
    }
}
