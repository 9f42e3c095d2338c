import HTTPServer
import PrivateFiles
import Sealing
import Storage
import TestSupport
import Testing

@testable import ThreeDSIssuer
@testable import countersign_acs

@Suite(
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `Readiness of an ACS on PostgreSQL` {
    @Test func `is false within the timeout for many callers while the server hangs`() async throws
    {
        let server = try PostgresServer(syncs: false)
        let connection = try server.makeDatabase()
        let folder = try CardFolder(
            SampleConfiguration.replacing(
                #"{"sqlite": "acs.db"}"#,
                with: #"{"postgresql": "\#(connection)"}"#
            )
        )
        let keys = try KeyFile.encryptionKeys(in: .file(folder.acs.path("encryption")))
        let database = try PostgresDatabase(connection, migrations: IssuerSchema.migrations)
        let routes = OperationRoutes(
            metrics: IssuerMetrics(),
            of: try await IssuerStore(database, under: KeyRing(keys)),
            on: nil,
            isStopping: LockedValue(false)
        )
        let ready = { @Sendable in
            let request = Request(method: "GET", target: "/health/ready", fields: [], body: [])
            return await routes.respond(to: request)
        }
        #expect(await ready().status == 200)
        try server.pause()
        let begin = ContinuousClock.now
        let bodies = await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await ready().body } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // One read alone would wait for longer than 20 seconds.
        #expect(ContinuousClock.now - begin < .seconds(10))
        #expect(bodies.count == 50)
        for body in bodies {
            guard case .bytes(let bytes) = body else { throw UnexpectedBody() }
            #expect(String(decoding: bytes, as: UTF8.self) == "store.timedOut\n")
        }
        try server.resume()
        try await waitUntil { await ready().status == 200 }
        await database.close()
    }

    private struct UnexpectedBody: Error {}
}
