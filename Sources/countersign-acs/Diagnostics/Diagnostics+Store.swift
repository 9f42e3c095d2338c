import CommandLineTool
import ConfigurationFiles
import ServerOperation
import Storage
import ThreeDSIssuer
import Transactions

extension Diagnostics {
    /// The cards whose accounts are checked, and the problems of the store.
    struct StoreState {
        /// Nil if the store cannot be read.
        var cards: FirstCards?
        var findings: [Finding] = []
    }

    struct FirstCards {
        /// The cards that are not blocked.
        let active: [Card]
        let isComplete: Bool
    }

    static let pageSize = 1000
    /// A directory server that responds has a result within seconds.
    private static let maximumDelay = Duration.seconds(600)

    /// Opens the store, reads all of its file and its rows, and counts results that wait.
    func storeState() async -> StoreState {
        let installation = Installation(configuration: configuration)
        do throws(CommandFailure) {
            return try await installation.withStore(checksWholeFile: true) {
                store throws(CommandFailure) in
                let cards = try await firstCards(in: store, of: installation)
                var results = try await results(in: store, of: installation)
                results.unreadable += cards.unreadable.count
                let givenUp = try await installation.read(store) {
                    connection throws(StoreFailure) in
                    try store.givenUpEvents(connection)
                }
                results.lostEvents = givenUp.events
                results.unreadable += givenUp.unreadable
                let active = cards.elements.map(\.card).filter { !$0.isBlocked }
                let found =
                    results.failures.map { Finding(part: "store", failure: $0) } + diskFindings()
                let findings = found.isEmpty ? [Finding(part: "store", failure: nil)] : found
                return StoreState(
                    cards: FirstCards(
                        active: active,
                        isComplete: cards.rowCount < Self.pageSize
                    ),
                    findings: findings
                )
            }
        } catch {
            guard error == CommandFailure(.otherKeys, of: configuration.store.place) else {
                let findings = [Finding(part: "store", failure: error)] + diskFindings()
                return StoreState(findings: findings)
            }
            return StoreState(findings: [
                Finding(part: Self.keysPart, failure: error),
                Finding(part: "store", failure: nil, note: "not checked: the keys do not open it"),
            ])
        }
    }

    /// Enough for some hours of a busy ACS.
    private static let minimumFreeMiB = 256

    private func diskFindings() -> [Finding] {
        guard let volume = configuration.store.volume, let bytes = volume.freeBytes,
            bytes >> 20 < Self.minimumFreeMiB
        else { return [] }
        let failure = CommandFailure(
            .inputOutput,
            "the disk of \(volume.name) has only \(bytes >> 20) MiB left",
            hint: "free some space: the ACS rejects requests that it cannot store"
        )
        return [Finding(part: "store", failure: failure)]
    }

    /// A command for auditors reads all of them.
    private func firstCards(
        in store: IssuerStore,
        of installation: Installation
    ) async throws(CommandFailure) -> RowPage<StoredCard> {
        try await installation.read(store) { connection throws(StoreFailure) in
            try store.cards(connection)
                .cards(after: nil, limit: Self.pageSize)
        }
    }

    private func results(
        in store: IssuerStore,
        of installation: Installation
    ) async throws(CommandFailure) -> StoredResults {
        var (results, last) = (StoredResults(), SQLValue?.none)
        while true {
            let page = try await installation.read(store) {
                [last] connection throws(StoreFailure) in
                try store.challenges(connection).challenges(after: last, limit: Self.pageSize)
            }
            guard let end = page.end else { return results }
            results.unreadable += page.unreadable.count
            for challenge in page.elements {
                switch challenge.state {
                case .givenUp, .unacknowledged: results.givenUp += 1
                case .undelivered where challenge.isLate(by: Self.maximumDelay): results.late += 1
                default: continue
                }
            }
            last = end
        }
    }
}

private struct StoredResults {
    var givenUp = 0
    var late = 0
    /// Events that the issuer's own programs did not accept.
    var lostEvents = 0
    var unreadable = 0

    var failures: [CommandFailure] {
        let failures = [
            (
                unreadable, "row",
                "cannot be read: another program changed the store, or a key is missing",
                "countersign-acs audit verify lists the findings"
            ),
            (
                givenUp, "result", "no longer sent, which the directory server did not acknowledge",
                "list it with countersign-acs challenge list, and use countersign-acs challenge send"
            ),
            (
                late, "result", "waiting for the directory server for more than 10 minutes",
                "check that countersign-acs run is running, and read its log"
            ),
            (
                lostEvents, "event", "given up: the receiver did not accept it",
                "list it with GET /acs/v1/notifications?state=givenUp, and retry it"
            ),
        ]
        return failures.filter { $0.0 > 0 }.map { count, noun, words, hint in
            CommandFailure(.malformedInput, "\(counted(count, noun)) \(words)", hint: hint)
        }
    }
}

extension ChallengeView {
    fileprivate func isLate(by limit: Duration) -> Bool {
        result.map { Timestamp.ofWallClock.elapsed(since: $0.time) > limit } ?? false
    }
}
