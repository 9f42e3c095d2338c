import FailureTranslation
import PrivateFiles

/// A complete copy of a store that does not have its name yet, so that it can be checked before.
///
/// Without `finish`, the end of this value removes it. A killed process leaves it, and the next copy
/// into the same folder removes it.
package final class UnnamedCopy: Sendable {
    /// The path until `finish`.
    package var path: String { file.temporaryPath }
    private let target: DatabaseFile
    private let files: IncompleteFiles
    private let file: IncompleteFile

    /// An empty file.
    init(for target: DatabaseFile) throws(StoreFailure) {
        try target.checkAbsent()
        self.target = target
        files = try translating(
            IncompleteFiles(
                of: "backup",
                in: ParentFolder(of: target.path),
                suffixes: DatabaseFile.companionSuffixes
            ),
            to: StoreFailure.init(_:)
        )
        file = try translating(files.make(for: target.path), to: StoreFailure.init(_:))
    }

    deinit {
        DatabaseFile.removeCompanions(of: path)
    }

    /// Gives the copy its name; returns when it is on the disk.
    package func finish() throws(StoreFailure) {
        try target.checkAbsent()
        try translating(file.finish(), to: StoreFailure.init(_:))
    }
}
