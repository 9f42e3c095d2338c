import HTTPServer
import PrivateFiles
import Sealing
import ServerOperation
import Storage
import TestSupport
import Testing

@testable import ThreeDSIssuer
@testable import countersign_acs

@Suite struct `Readiness of an ACS with a file` {
    @Test func `is false if the folder of the store is missing`() async throws {
        let folder = try CardFolder()
        let keys = try KeyFile.encryptionKeys(in: .file(folder.acs.path("encryption")))
        let path = folder.acs.path("acs.db")
        let database = try SQLiteDatabase(path: path, migrations: IssuerSchema.migrations)
        let store = try await IssuerStore(database, under: KeyRing(keys))
        for (place, body) in [(path, "ready\n"), (path + "/gone", "store.unavailable\n")] {
            try await expect(body, of: store, on: Volume(of: path, holding: place))
        }
        await database.close()
    }

    @Test func `is false while the node lacks the newest key`() async throws {
        let folder = try CardFolder()
        let file = folder.acs.path("encryption")
        let keys = try KeyFile.encryptionKeys(in: .file(file))
        let path = folder.acs.path("acs.db")
        let database = try SQLiteDatabase(path: path, migrations: IssuerSchema.migrations)
        let store = try await IssuerStore(database, under: KeyRing(keys, readFrom: file))
        // The key file of this node is on another machine.
        let old = try folder.acs.text("encryption")
        #expect(try folder.run("rotate").exitCode == 0)
        let new = try folder.acs.text("encryption")
        for (text, body) in [(old, "store.outdatedKey\n"), (new, "ready\n")] {
            try folder.acs.write(text, to: "encryption")
            try await expect(body, of: store, on: nil)
        }
        await database.close()
    }

    private func expect(_ body: String, of store: IssuerStore, on volume: Volume?) async throws {
        let routes = OperationRoutes(
            metrics: IssuerMetrics(),
            of: store,
            on: volume,
            isStopping: LockedValue(false)
        )
        let request = Request(method: "GET", target: "/health/ready", fields: [], body: [])
        let response = await routes.respond(to: request)
        guard case .bytes(let bytes) = response.body else { throw UnexpectedBody() }
        #expect(String(decoding: bytes, as: UTF8.self) == body)
        #expect(response.status == (body == "ready\n" ? 200 : 503))
    }
}

private struct UnexpectedBody: Error {}

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
        let bodies = await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await ready().body } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.count == 50)
        for body in bodies {
            guard case .bytes(let bytes) = body else { throw UnexpectedBody() }
            // A read would fail with another text, after more than 20 seconds.
            #expect(String(decoding: bytes, as: UTF8.self) == "store.timedOut\n")
        }
        try server.resume()
        try await waitUntil { await ready().status == 200 }
        await database.close()
    }
}
