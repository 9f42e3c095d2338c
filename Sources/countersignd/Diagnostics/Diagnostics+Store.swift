import CommandLineTool
import Cryptography
import TransactionApproval
import Verification
import VerifierServer

extension Diagnostics {
    private enum Key: CaseIterable {
        case encryption, agreement, answer, nextAnswer, checkpoint
        /// What webhooks and pushes are signed with.
        case messages
    }

    /// Each by itself: whether it is there, nobody else's, and a key.
    func keyFindings() -> [Finding] {
        Key.allCases.compactMap { key in
            do throws(CommandFailure) {
                try look(at: key)
                return nil
            } catch {
                return Finding(.keys, error)
            }
        }
    }

    private func look(at key: Key) throws(CommandFailure) {
        switch key {
        case .encryption:
            // What came through a descriptor is there once, for who opens the store.
            if configuration.keyDescriptor == nil { _ = try installation.encryptionKeys() }
        case .agreement: _ = try installation.agreementKey()
        case .answer: _ = try installation.responseKey()
        case .nextAnswer: _ = try installation.nextResponseKey()
        case .checkpoint: _ = try installation.checkpointKey()
        case .messages: _ = try installation.addresses()
        }
    }

    /// Opens it, has it keep something, and opens what is sealed in it.
    func storeFindings() async throws(CommandFailure) -> [Finding] {
        try await installation.withStore { store throws(CommandFailure) in
            let verifier = try await installation.verifier(over: store, nil)
            try await installation.onVerifier { () throws(Verifier.Failure) in
                try await verifier.checkKeys()
            }
            return []
        }
    }

    /// A verifier that runs has all of it signed every minute.
    private static let longestUnsigned = Duration.seconds(5 * 60)

    func journalFindings() async throws(CommandFailure) -> [Finding] {
        let journal = try installation.openJournalFile()
        return try await installation.withCheckedStore { store throws(CommandFailure) in
            let signed = try await installation.onJournal { () throws(JournalFailure) in
                try journal.lastCheckpoint().head.sequence
            }
            let (last, next) = try await installation.read(store) { ledger throws(StoreFailure) in
                (
                    try ledger.state().audit.sequence,
                    try ledger.auditRecords(after: signed, limit: 1).first
                )
            }
            guard let next else { return [] }
            let age = now.elapsed(since: next.moment)
            guard age > Self.longestUnsigned else { return [] }
            return [
                Finding(
                    .journal,
                    "the last \(counted(last - signed, "record")) are not signed in the journal, "
                        + "the oldest for \(roughly(age))",
                    "a verifier signs every minute: look whether countersignd run runs, and what "
                        + "it says"
                )
            ]
        }
    }

    /// More than clocks that are set over a network differ by.
    private static let maximumLead = Duration.seconds(60)

    func clockFindings() async throws(CommandFailure) -> [Finding] {
        try await installation.withStore { store throws(CommandFailure) in
            let lead = try await installation.state(of: store).audit.moment.elapsed(since: now)
            guard lead > Self.maximumLead else { return [] }
            return [
                Finding(
                    .clock,
                    "the store's time is \(roughly(lead)) ahead of this machine's clock",
                    "set the clock; where it is right, the README says what that means, under "
                        + "The clock"
                )
            ]
        }
    }

    private static let maximumCounted = 10_000
    /// What is due is taken at once.
    private static let longestDue = Duration.seconds(10 * 60)

    func deliveryFindings() async throws(CommandFailure) -> [Finding] {
        try await installation.withStore { store throws(CommandFailure) in
            let (dead, waiting) = try await installation.read(store) {
                ledger throws(StoreFailure) in
                (
                    try ledger.undelivered(countedTo: Self.maximumCounted).dead,
                    try ledger.deliveries(.waiting, after: 0, limit: Self.maximumCounted)
                )
            }
            var findings = try await strangers(in: store)
            if dead > 0 {
                let most = dead == Self.maximumCounted ? " or more" : ""
                findings.append(
                    Finding(
                        .deliveries,
                        "\(dead)\(most) given up: nobody was told of that",
                        "countersignd outbox list --dead shows them, and outbox retry tries again"
                    )
                )
            }
            let late = waiting.compactMap(\.due).count { now.elapsed(since: $0) > Self.longestDue }
            if late > 0 {
                findings.append(
                    Finding(
                        .deliveries,
                        "\(late) due for long, and nobody tells them",
                        "look whether countersignd run runs, and what it says"
                    )
                )
            }
            return findings
        }
    }

    /// Webhooks of which nobody will ever hear.
    private func strangers(in store: any Database) async throws(CommandFailure) -> [Finding] {
        let named = Set(configuration.webhooks.map(\.purpose.enterprise))
        let known = try await installation.read(store) { ledger throws(StoreFailure) in
            try ledger.enterprises()
        }
        return named.subtracting(known).sorted { $0.text < $1.text }.map { enterprise in
            Finding(
                .deliveries,
                "a webhook is for \(enterprise), which is no enterprise of this store",
                "countersignd enterprise list shows their names; what nobody is told of is done with"
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
                    "the token \($0.name) is good for "
                        + roughly($0.expiry.elapsed(since: now)) + " more",
                    "countersignd token create makes its successor"
                )
            }
        }
    }
}
