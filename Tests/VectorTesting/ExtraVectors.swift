package import Foundation
import PrivateFiles
package import Testing

/// Vectors that cannot be in this repository; `EXTRA_VECTORS` names their folder.
package enum ExtraVectors {
    package static let folder: URL? = {
        guard let path = ProcessInfo.processInfo.environment["EXTRA_VECTORS"] else { return nil }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else {
            return nil
        }
        return URL(filePath: path, directoryHint: .isDirectory)
    }()

    fileprivate static let reportedAbsences = LockedValue<Set<String>>([])

    package static func read(_ name: String) throws -> Data {
        try Data(contentsOf: try #require(folder).appending(path: name))
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a suite if the extra vectors exist, and reports it otherwise.
    package static func needsExtraVectors(for name: String) -> Self {
        let absence = "EXTRA_VECTORS is not set or absent: \(name) not run"
        return .enabled(Comment(rawValue: absence)) {
            guard ExtraVectors.folder == nil else { return true }
            // Evaluated for each test of the suite.
            if ExtraVectors.reportedAbsences.withLock({ $0.insert(absence).inserted }) {
                print(absence)
            }
            return false
        }
    }
}
