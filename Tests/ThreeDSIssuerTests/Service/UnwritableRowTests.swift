import Storage
import TestSupport
import Testing
import VerifierWorld

@testable import ThreeDSIssuer

/// The owner of PostgreSQL's tables can make a row that no statement changes.
///
/// A damaged index of SQLite has the same effect.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
    .timeLimit(.minutes(5))
)
struct `A challenge that cannot be written` {
    @Test func `fails with the name of its row`() async throws {
        let world = try await StoreKind.$current.withValue(.postgreSQL) { try await IssuerWorld() }
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        try await world.database.write { connection throws(StoreFailure) in
            _ = try connection.run(.holdRows, [])
        }
        await #expect(throws: StoreFailure.forged(row: "authentication \(sdk.acsTransID)")) {
            try await world.service.step(at: .id(sdk.acsTransID)) { step throws(StoreFailure) in
                let now = step.now
                step.change { $0.resultDue = now }
            }
        }
    }
}

extension Statement {
    fileprivate static let holdRows = Statement(
        "CREATE RULE hold AS ON UPDATE TO authentications DO INSTEAD NOTHING"
    )
}
