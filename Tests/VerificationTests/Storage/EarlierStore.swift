import Foundation
import Testing
import Verification
import VerifierWorld

/// The files of an earlier release: a store of its version, with keys, journal and a phone.
struct EarlierStore: CustomTestStringConvertible {
    let version: Int
    let kind: StoreKind

    static let isPinned = ProcessInfo.processInfo.environment["PIN_STORE"] != nil
    static let latest = StoreKind.installed.map {
        EarlierStore(version: Schema.migrations.count, kind: $0)
    }
    static let all = (1..<Schema.migrations.count).flatMap { version in
        StoreKind.installed.map { EarlierStore(version: version, kind: $0) }
    }

    /// From version 6 on, rows have tags.
    var isTagged: Bool { version >= 6 }

    var testDescription: String { "version \(version) on \(kind)" }

    var path: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Stores/version-\(version).\(kind)").path
    }
}
