import CommandLineTool
import ConfigurationFiles
import Glibc
import PrivateFiles
import ServerOperation
import Storage
import Testing

@testable import countersignd

@Suite struct `Messages of store failures` {
    @Test(arguments: [
        (
            StoreFailure(.misuse, .sqlState("42703")), StorePlace.postgreSQL,
            "the store in PostgreSQL does not support this operation (SQLSTATE 42703)"
        ),
        (
            StoreFailure(.misuse, .sqlite(1)), .sqlite("s.db"),
            "the store s.db does not support this operation (SQLite result code 1)"
        ),
        (
            StoreFailure(.malformedAddress, nil), .postgreSQL,
            "store.postgresql is not a connection string, or has an unknown keyword"
        ),
        (
            StoreFailure(.malformedAddress, .keyword("password")), .postgreSQL,
            "store.postgresql contains the keyword password, which is not accepted"
        ),
    ])
    func `an unexpected failure names the code of the engine`(
        _ failure: StoreFailure,
        _ place: StorePlace,
        _ message: String
    ) {
        let explained = CommandFailure(failure, of: place)
        #expect(explained.message == message)
        #expect((explained.exitCode == .malformedInput) == (failure.reason == .malformedAddress))
    }

    @Test(arguments: [
        (StoreFailure.Cause.sqlState("53300"), true),
        (.connection("connection failed: FATAL: sorry, too many clients already"), true),
        (.connection("FATAL: too many connections for role \"teller\""), true),
        (.connection("FATAL: remaining connection slots are reserved for roles with"), true),
        (.connection("FATAL: password authentication failed"), false),
        (.sqlState("08006"), false),
    ])
    func `a server without free connections needs a higher limit`(
        _ cause: StoreFailure.Cause,
        _ isFull: Bool
    ) {
        let failure = CommandFailure(StoreFailure(.unavailable, cause), of: .postgreSQL)
        #expect(failure.hint?.hasPrefix("raise max_connections of the server") == isFull)
    }

    @Test func `a file to read is not opened for writing`() {
        let denied = FileFailure.readOnly
        #expect(CommandFailure(denied, of: "key").message == "access to key is denied")
        let created = CommandFailure(denied, creating: "key")
        #expect(created.message == "cannot open key for writing")
        #expect(created.exitCode == .noPermission)
    }

    @Test(
        arguments: [
            (
                EACCES, .noPermission, "Permission denied",
                "run this as the owner of the file, and check"
            ),
            (
                ENOENT, .noInput, "No such file or directory",
                "check bank.tls.key in the configuration"
            ),
        ] as [(Int32, ExitCode, String, String)]
    )
    func `a file of TLS that cannot be opened is named with the cause`(
        _ number: Int32,
        _ exitCode: ExitCode,
        _ reason: String,
        _ hint: String
    ) {
        let denied = ListenerFailure.unreadableFile(.key, path: "key.pem", number)
        let failure = CommandFailure(denied, of: "bank")
        #expect(failure.message == "cannot open the key key.pem: \(reason)")
        #expect(failure.exitCode == exitCode)
        #expect(failure.hint?.hasPrefix(hint) == true)
    }

    @Test func `a file with a password that others can access needs other permissions`() {
        let open = StoreFailure(.unavailable, .passwordFile("/etc/passfile"))
        let failure = CommandFailure(open, of: .postgreSQL)
        #expect(
            failure.message
                == "cannot connect to PostgreSQL: other users can access /etc/passfile"
        )
        #expect((failure.exitCode, failure.hint) == (.noPermission, "run chmod 600 on it"))
    }

    @Test func `a copy needs a folder`() {
        let place = StorePlace.copy("folder/copy.db")
        let failure = CommandFailure(.missing, of: place)
        #expect(failure.message == "cannot create folder/copy.db: its folder does not exist")
        #expect(failure.exitCode == .cannotCreate)
    }

    @Test(arguments: [
        (StoreFailure.busy, "timeout: other processes use the store"),
        (.outdatedKey(version: 7), "version 7 of the encryption key is retired"),
        (.unsafeFile(.symbolicLink), "the store is a symbolic link"),
        (
            StoreFailure(.unavailable, .sqlState("08006")),
            "cannot read or write the store (SQLSTATE 08006)"
        ),
    ])
    func `a failure describes itself in words`(_ failure: StoreFailure, _ text: String) {
        #expect("\(failure)" == text)
    }
}
