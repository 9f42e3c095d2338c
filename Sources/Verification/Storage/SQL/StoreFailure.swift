/// Why a store cannot be opened or did not do a work; holds nothing of what is stored.
package enum StoreFailure: Error, Equatable, Sendable {
    // What keeps a store from being opened.

    /// There is no such file or folder.
    case missing
    /// Something is there already, and is never written over.
    case exists
    case unsafeFile(UnsafeFile)
    /// What is there was not written by this program.
    case foreign
    /// A later program moved the tables on to `version`.
    case newer(version: Int)
    /// An earlier program made the tables, in `version`, and nobody moved them on.
    case older(version: Int)

    // What can happen at any time.

    case readOnly
    /// What is stored contradicts itself.
    case damaged
    /// No space is left; nothing of the work was kept.
    case full
    /// Somebody else holds the store for too long; nothing of the work was kept.
    case busy
    /// The store is closed, or its device or its server fails; nothing of the work was kept.
    case unavailable
    /// The store failed while it committed: whether the work was kept must be asked.
    case uncertain
    /// What was committed is not there any more: an older or another copy took the store's place.
    case rolledBack
    /// What was to be stored is under a key that is used no more: it was sealed by somebody who read
    /// the keys before the newest was among them.
    case outdatedKey(version: UInt32)
    /// A row that is there, or one that is not there, forbids the change.
    case conflict
    /// The statement is wrong, or breaks a rule that the program should have kept: our own bug.
    case misuse
}

/// What lets somebody else read or replace a store.
package enum UnsafeFile: Equatable, Sendable {
    case symbolicLink
    case notRegular
    case foreignOwner
    case openToOthers
    case hardLinked
    case folderOpenToOthers
    /// A write-ahead log lies beside a file that never had one: it would change that file.
    case strayLog
}
