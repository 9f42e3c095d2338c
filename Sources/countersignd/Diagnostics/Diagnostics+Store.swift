import CommandLineTool
import Cryptography
import Storage
import TransactionApproval
import Verification
import VerifierServer

extension Diagnostics {
    private enum Key: CaseIterable {
        case encryption, agreement, nextAgreement, response, nextResponse, checkpoint
        /// The secrets of webhooks and push messages.
        case delivery
    }

    /// Checks that each key exists, is private and is well-formed.
    func keyFindings() -> [Finding] {
        Key.allCases.compactMap { key in
            do throws(CommandFailure) {
                try check(key)
                return nil
            } catch {
                return Finding(.keys, error)
            }
        }
    }

    private func check(_ key: Key) throws(CommandFailure) {
        switch key {
        case .encryption:
            // The keys of a descriptor can be read only once, to open the store.
            if !configuration.readsDescriptor { _ = try installation.encryptionKeys() }
        case .agreement: _ = try installation.agreementKey()
        case .nextAgreement: _ = try installation.nextAgreementKey()
        case .response: _ = try installation.responseKey()
        case .nextResponse: _ = try installation.nextResponseKey()
        case .checkpoint: _ = try installation.checkpointKey()
        case .delivery: _ = try installation.addresses()
        }
    }

    private static let maximumRows = 10

    /// Checks that the store opens, that the keys decrypt its secrets, and the tags of its rows.
    func storeFindings() async throws(CommandFailure) -> [Finding] {
        try await installation.withStore { store throws(CommandFailure) in
            let keys = try installation.keyRing()
            _ = try await installation.verifier(over: store, keys)
            let report = try await installation.onJournal(
                try await AuditVerification.checkRows(of: KeyedStore(store, keys))
            )
            return report.findings.prefix(Self.maximumRows).map { finding in
                Finding(
                    .store,
                    finding.text,
                    hint: "run countersignd audit verify, which lists all such rows"
                )
            }
        }
    }

    /// A running verifier signs the journal every minute.
    private static let maximumUnsignedAge = Duration.seconds(5 * 60)

    func journalFindings() async throws(CommandFailure) -> [Finding] {
        let journal = try installation.openJournalFile()
        return try await installation.withCheckedStore { store throws(CommandFailure) in
            let signed = try installation.onJournalFile(try journal.lastCheckpoint().head.sequence)
            let (last, next) = try await installation.read(store) { ledger throws(StoreFailure) in
                (
                    try ledger.state().audit.sequence,
                    try ledger.auditRecords(after: signed, limit: 1).first
                )
            }
            guard let next else { return [] }
            let age = now.elapsed(since: next.moment)
            guard age > Self.maximumUnsignedAge else { return [] }
            return [
                Finding(
                    .journal,
                    "the journal has no signature over the last \(counted(last - signed, "record")) "
                        + "since \(roughly(age))",
                    hint: "check that countersignd run is running, and read its log"
                )
            ]
        }
    }

    /// More than the usual difference between clocks that NTP sets.
    private static let maximumClockLead = Duration.seconds(60)

    func storeClockFindings() async throws(CommandFailure) -> [Finding] {
        try await installation.withStore { store throws(CommandFailure) in
            if let pause = try await installation.pause(of: store) {
                return [
                    Finding(
                        .clock,
                        "the last audit record is \(roughly(pause.length)) old: a verifier does not start",
                        hint: "check the clock of this machine, and run countersignd clock"
                    )
                ]
            }
            let lead = try await installation.state(of: store).audit.moment.elapsed(since: now)
            guard lead > Self.maximumClockLead else { return [] }
            return [
                Finding(
                    .clock,
                    "the time of the store is \(roughly(lead)) ahead of this machine's clock",
                    hint: "set the clock; if the clock is correct, see troubleshooting in the docs"
                )
            ]
        }
    }

    private static let maximumCount = 10_000
    /// Due deliveries normally start at once.
    private static let maximumDelay = Duration.seconds(10 * 60)

    func deliveryFindings() async throws(CommandFailure) -> [Finding] {
        try await installation.withStore { store throws(CommandFailure) in
            let (dead, waiting) = try await installation.read(store) {
                ledger throws(StoreFailure) in
                (
                    try ledger.undelivered(countedTo: Self.maximumCount).dead,
                    try ledger.deliveries(.waiting, after: 0, limit: Self.maximumCount)
                )
            }
            let late = waiting.compactMap(\.due).count {
                now.elapsed(since: $0) > Self.maximumDelay
            }
            let suffix = dead == Self.maximumCount ? " or more" : ""
            let findings = [
                dead > 0
                    ? Finding(
                        .deliveries,
                        "dead letters: \(dead)\(suffix)",
                        hint: "list them with countersignd outbox list --dead; retry them with "
                            + "countersignd outbox retry"
                    ) : nil,
                late > 0
                    ? Finding(
                        .deliveries,
                        "deliveries that are late: \(late)",
                        hint: "check that countersignd run is running, and read its log"
                    ) : nil,
            ]
            return try await unknownEnterprises(in: store) + findings.compactMap { $0 }
        }
    }

    /// Webhooks that never receive an event.
    private func unknownEnterprises(
        in store: any Database
    ) async throws(CommandFailure) -> [Finding] {
        let named = Set(configuration.webhooks.map(\.enterprise))
        let known = try await installation.read(store) { ledger throws(StoreFailure) in
            try ledger.enterprises().map(\.text)
        }
        return named.subtracting(known).sorted().map { enterprise in
            Finding(
                .deliveries,
                "a webhook names the enterprise \(enterprise), which does not exist",
                hint: "countersignd enterprise list shows the enterprises; their events are dropped"
            )
        }
    }

    func tokenFindings() async throws(CommandFailure) -> [Finding] {
        try await installation.withStore { store throws(CommandFailure) in
            let tokens = try await installation.read(store) { ledger throws(StoreFailure) in
                try ledger.bankTokens()
            }
            return tokens.filter { $0.isGood(at: now) && !$0.isGood(at: now + Self.notice) }.map {
                Finding(
                    .tokens,
                    "the token \($0.name) expires in \(roughly($0.expiry.elapsed(since: now)))",
                    hint: "create a new one with countersignd token create"
                )
            }
        }
    }
}
