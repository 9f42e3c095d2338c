import Cryptography
import Sealing
import Storage
import TransactionApproval

/// The progress or the result of a rotation.
package struct KeyRotation: Equatable, Sendable {
    /// The newest key version, under which all values are sealed at the end.
    package let version: UInt32
    /// Values that were sealed again under the newest key.
    package fileprivate(set) var moved = 0
    /// Tags of rows that were written again under the newest key.
    package fileprivate(set) var tagged = 0
    /// Rows with a value or a tag whose key is missing.
    package fileprivate(set) var locked = NamedRows()
    /// Rows that another program wrote; they were not changed.
    package fileprivate(set) var forged = NamedRows()
    /// The number of values under each version; empty before the end.
    package fileprivate(set) var counts: [UInt32: Int] = [:]
    /// Whether no authentic value of this store needs an older key.
    ///
    /// Its backups need them.
    package fileprivate(set) var isComplete = false

    fileprivate var isBegun: Bool { moved + tagged > 0 }
}

extension Verifier {
    /// The number of sealed values under each version of the encryption key.
    package func sealedCounts() async throws(Failure) -> [UInt32: Int] {
        try await read(isScan: true) { ledger throws(StoreFailure) in try ledger.sealedCounts() }
    }

    /// Rejects values and tags under keys older than `version`.
    ///
    /// Returns false, and changes nothing, if the store needs an older key; forged rows need none. Call
    /// it before older keys are removed: a process that has read them could still seal under them.
    ///
    /// The tags are searched before the transaction that writes, because that takes long in a large
    /// store. No verifier writes a tag under an older key than that of the verifier's own row. Secrets
    /// are searched again in that transaction: a call can have sealed one before.
    package func endKeys(olderThan version: UInt32, by author: ChangeAuthor) async throws(Failure)
        -> Bool
    {
        let isNeeded = try await read(isScan: true) { ledger throws(StoreFailure) in
            _ = try ledger.state()
            guard let own = ledger.recorded.ownKeyVersion, own >= version else { return true }
            if try ledger.hasTags(olderThan: version) { return true }
            return try ledger.hasSecrets(olderThan: version)
        }
        guard !isNeeded else { return false }
        return try await change(by: author) { context throws(StoreFailure) in
            let ledger = context.ledger
            guard try !ledger.hasSecrets(olderThan: version) else { return false }
            if try ledger.endKeys(olderThan: version) {
                context.events.append(Event(.keysEnded, of: version, in: nil))
            }
            return true
        }
    }

    /// Seals all values under the newest key, while decisions go on.
    ///
    /// Each batch is read, opened and sealed outside the writer's thread. A value is replaced only if
    /// it was not changed since. A rotation that was stopped can be started again.
    package func rotateKeys(
        by author: ChangeAuthor,
        rowsAtOnce: Int = 200,
        report: @Sendable (KeyRotation) -> Void = { _ in }
    ) async throws(Failure) -> KeyRotation {
        let keys = keyRing.useNewestKey()
        var rotation = KeyRotation(version: keys.newestVersion)
        for table in SealedTable.all {
            var last: [SQLValue]?
            while let batch = try await nextBatch(in: table, after: last, rowsAtOnce) {
                last = batch.last
                note(forged: batch.forged, &rotation)
                let older = batch.places.filter { $0.value.keyVersion != keys.newestVersion }
                try await move(older, to: keys, by: author, &rotation)
                report(rotation)
            }
        }
        for table in TaggedTable.all { try await retag(table, by: author, rowsAtOnce, &rotation) }
        (rotation.counts, rotation.isComplete) = try await read(isScan: true) {
            [version = rotation.version] ledger throws(StoreFailure) in
            (try ledger.sealedCounts(), try !ledger.hasSecrets(olderThan: version))
        }
        return rotation
    }

    private func note(forged rows: [String], _ rotation: inout KeyRotation) {
        for row in rows {
            rotation.forged.add(row)
            forgeries.note(.forged(row: row))
        }
    }

    /// Writes all tags of a table under the newest key.
    private func retag(
        _ table: TaggedTable,
        by author: ChangeAuthor,
        _ limit: Int,
        _ rotation: inout KeyRotation
    ) async throws(Failure) {
        var last: [SQLValue]?
        while true {
            let (after, version, isBegun) = (last, rotation.version, rotation.isBegun)
            let batch = try await change(by: author) { context throws(StoreFailure) in
                let batch = try context.ledger.retag(table, after: after, limit: limit)
                if !isBegun, let batch, batch.changed > 0 {
                    context.events.append(Event(.keyRotated, of: version, in: nil))
                }
                return batch
            }
            guard let batch else { return }
            last = batch.last
            rotation.tagged += batch.changed
            note(forged: batch.forged, &rotation)
            for row in batch.locked { rotation.locked.add(row) }
        }
    }

    private func nextBatch(
        in table: SealedTable,
        after last: [SQLValue]?,
        _ limit: Int
    ) async throws(Failure) -> SealedPage? {
        try await read { ledger throws(StoreFailure) in
            try ledger.sealedPlaces(in: table, after: last, limit: limit)
        }
    }

    private func move(
        _ places: [SealedPlace],
        to keys: KeyEncryptionKeys,
        by author: ChangeAuthor,
        _ rotation: inout KeyRotation
    ) async throws(Failure) {
        var moves: [(place: SealedPlace, value: SealedValue)] = []
        for place in places {
            do throws(KeyEncryptionKeys.Failure) {
                moves.append((place, try keys.reseal(place)))
            } catch .system(let failure) {
                throw .system(failure)
            } catch .keyMissing {
                rotation.locked.add(place.row)
            } catch {
                note(forged: [place.row], &rotation)
            }
        }
        guard !moves.isEmpty else { return }
        let (all, version, isBegun) = (moves, rotation.version, rotation.isBegun)
        rotation.moved += try await change(by: author) { context throws(StoreFailure) in
            var moved = 0
            for (place, value) in all where try context.ledger.replace(place, by: value) {
                moved += 1
            }
            // With the first values: even if it is stopped, the trail contains the rotation.
            if moved > 0, !isBegun {
                context.events.append(Event(.keyRotated, of: version, in: nil))
            }
            return moved
        }
    }
}

extension KeyEncryptionKeys {
    fileprivate func reseal(_ place: SealedPlace) throws(Failure) -> SealedValue {
        let secret = try open(place.value, for: place.owner)
        return try secret.withBytes { secret throws(Failure) in
            try seal(secret, for: place.owner)
        }
    }
}
