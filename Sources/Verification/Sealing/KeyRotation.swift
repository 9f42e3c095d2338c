import Cryptography
import OneTimePassword
import TransactionApproval

/// How far a rotation is, or how it ended.
package struct KeyRotation: Equatable, Sendable {
    /// The newest key, under which everything is to be.
    package let version: UInt32
    /// Values that were under an older one and are under the newest now.
    package fileprivate(set) var moved = 0
    /// Values that did not open: each is its owner's no more, or its key is missing.
    package fileprivate(set) var unopened = 0
    /// How many values are under each version; nothing before the end.
    package fileprivate(set) var counts: [UInt32: Int] = [:]

    /// Whether no older key opens anything any more, in this store; in its backups they still do.
    package var isComplete: Bool { counts.allSatisfy { $0.key == version } }
}

extension Verifier {
    /// How many sealed values are under each version of the encryption key.
    package func sealedCounts() async throws(Failure) -> [UInt32: Int] {
        try await read { ledger throws(StoreFailure) in try ledger.sealedCounts() }
    }

    /// Has everything refused from now on that is sealed under a key older than `version`; false, and
    /// nothing is, where the store holds anything under another.
    ///
    /// To be done before older keys are removed: who read them before would seal under them still.
    package func endKeys(
        olderThan version: UInt32,
        by actor: Actor
    ) async throws(Failure) -> Bool {
        try await change(by: actor) { scene throws(StoreFailure) in
            let least = try scene.ledger.state().minimumKeyVersion
            let counts = try scene.ledger.endKeys(olderThan: version)
            guard counts.keys.allSatisfy({ $0 == version }) else { return false }
            if least < version { scene.events.append(Event(.keysEnded, of: version, in: nil)) }
            return true
        }
    }

    /// Seals everything anew that is under an older key than the newest, while decisions go on.
    ///
    /// A batch is read, opened and sealed off the writer's thread; a value is replaced only if it is
    /// still the one that was read. Stopped at any time, it goes on by beginning again.
    package func rotateKeys(
        by actor: Actor,
        rowsAtOnce: Int = 200,
        report: @Sendable (KeyRotation) -> Void = { _ in }
    ) async throws(Failure) -> KeyRotation {
        let keys = keys
        var rotation = KeyRotation(version: keys.newestVersion)
        for table in SealedTable.all {
            var last: [SQLValue]?
            while let batch = try await nextBatch(in: table, after: last, rowsAtOnce) {
                last = batch.last
                let older = batch.places.filter { $0.value.keyVersion != keys.newestVersion }
                try await move(older, to: keys, by: actor, &rotation)
                report(rotation)
            }
        }
        rotation.counts = try await sealedCounts()
        return rotation
    }

    private func nextBatch(
        in table: SealedTable,
        after last: [SQLValue]?,
        _ limit: Int
    ) async throws(Failure) -> (places: [SealedPlace], last: [SQLValue])? {
        try await read { ledger throws(StoreFailure) in
            try ledger.sealedPlaces(in: table, after: last, limit: limit)
        }
    }

    private func move(
        _ places: [SealedPlace],
        to keys: KeyEncryptionKeys,
        by actor: Actor,
        _ rotation: inout KeyRotation
    ) async throws(Failure) {
        var moves: [(place: SealedPlace, value: SealedValue)] = []
        for place in places {
            if let value = try reseal(place, under: keys) {
                moves.append((place, value))
            } else {
                rotation.unopened += 1
            }
        }
        guard !moves.isEmpty else { return }
        let (all, version, isBegun) = (moves, rotation.version, rotation.moved > 0)
        rotation.moved += try await change(by: actor) { scene throws(StoreFailure) in
            var moved = 0
            for (place, value) in all where try scene.ledger.replace(place, by: value) {
                moved += 1
            }
            // With the first values that move: whatever stops it, the trail tells of it.
            if moved > 0, !isBegun { scene.events.append(Event(.keyRotated, of: version, in: nil)) }
            return moved
        }
    }

    /// Nil where it does not open.
    private func reseal(
        _ place: SealedPlace,
        under keys: KeyEncryptionKeys
    ) throws(Failure) -> SealedValue? {
        do throws(KeyEncryptionKeys.Failure) {
            let secret = try keys.open(place.value, for: place.owner)
            return try secret.withBytes { secret throws(KeyEncryptionKeys.Failure) in
                try keys.seal(secret, for: place.owner)
            }
        } catch .cryptography(let failure) {
            throw .machine(SystemFailure(failure))
        } catch {
            return nil
        }
    }
}
