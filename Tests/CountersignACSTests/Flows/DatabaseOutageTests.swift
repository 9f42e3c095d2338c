import ProgramTesting
import TestSupport
import Testing

@Suite(
    .needsReferenceCheckers,
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed")
)
struct `An ACS whose PostgreSQL is down` {
    @Test func `responds before an app gives up`() throws {
        let server = try PostgresServer(syncs: false)
        let connection = try server.makeDatabase()
        let premises = try IssuerPremises(storingIn: #"{"postgresql": "\#(connection)"}"#)
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        try server.kill()
        // The app gives up after ten seconds.
        let report = try premises.peer.run(
            "creq",
            ["transaction": purchase.transaction, "action": "continue", "timeout": 10]
        )
        #expect(report.text("erro", "errorCode") == "403", "\(report.members)")
        try server.start()
        try premises.approve()
        #expect(try purchase.result(wait: 30)["transStatus"] as? String == "Y")
    }
}
