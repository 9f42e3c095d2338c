import Foundation
import Testing
import Verification
import VerifierWorld

/// The files of an earlier build: a store of its version, with keys, journal and a phone.
struct EarlierStore: CustomTestStringConvertible {
    let version: Int
    let kind: StoreKind

    static let isPinned = ProcessInfo.processInfo.environment["PIN_STORE"] != nil
    static let latest = StoreKind.installed.map {
        EarlierStore(version: Schema.migrations.count, kind: $0)
    }
    /// The first version that a store can have.
    ///
    /// Its files are of a build with twelve migrations: SQLite keeps the spaces of their statements.
    static let first = 12
    static let all = (first...Schema.migrations.count).flatMap { version in
        StoreKind.installed.map { EarlierStore(version: version, kind: $0) }
    }

    var testDescription: String { "version \(version) on \(kind)" }

    var path: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Stores/version-\(version).\(kind)").path
    }
}
