import Foundation
import TestSupport
import Testing
import VerifierWorld

@testable import Storage
@testable import Verification

/// A folder with a file of accounts, and a bank that loads it.
struct Intake {
    /// The default columns.
    static let heading =
        "enterprise,account_type,account_id,person,token_serial,token_secret_hex,"
        + "token_algorithm,token_digits,token_counter\n"
    /// A token's secret.
    static let secret = String(repeating: "5a", count: 20)

    let bank: Bank
    let folder: TemporaryFolder

    init(policy: String = #"{"minimumTokenDigits": 6}"#) async throws {
        bank = try await Bank(policy: policy)
        folder = try TemporaryFolder()
    }

    var path: String { folder.path + "/accounts.csv" }

    func write(_ text: String, permissions: Int = 0o600) throws {
        try write(Array(text.utf8), permissions: permissions)
    }

    func write(_ bytes: [UInt8], permissions: Int = 0o600) throws {
        let attributes = [FileAttributeKey.posixPermissions: permissions]
        try? FileManager.default.removeItem(atPath: path)
        #expect(
            FileManager.default.createFile(
                atPath: path,
                contents: Data(bytes),
                attributes: attributes
            )
        )
    }

    /// The final record, and all skipped rows.
    @discardableResult
    func load(
        _ name: String = "file",
        stopsAtRejection: Bool = false
    ) async throws -> (ImportRecord, Rejections) {
        try await load(try AccountCSV(path), name, stopsAtRejection: stopsAtRejection)
    }

    func load(
        _ source: some AccountSource,
        _ name: String = "file",
        stopsAtRejection: Bool = false
    ) async throws -> (ImportRecord, Rejections) {
        var rejections: Rejections = [:]
        let load = BulkLoad(
            name: ImportName(checked: name),
            stopsAtRejection: stopsAtRejection
        )
        let record = try await bank.verifier.load(source, load, by: .operatorCommand) { step in
            for rejection in step.rejections {
                rejections.reasons[rejection.line] = rejection.reason
            }
        }
        return (record, rejections)
    }

    func accountCount() async throws -> Int {
        try await bank.events().count { $0.kind == .accountCreated }
    }
}

/// The reasons for skipped rows, by line.
struct Rejections: Equatable, ExpressibleByDictionaryLiteral {
    var reasons: [UInt64: String]

    init(dictionaryLiteral rows: (UInt64, RowRefusal)...) {
        reasons = Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.1.text) })
    }
}
