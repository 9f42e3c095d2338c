import Testing

@testable import Storage

@Suite struct `A failure of PostgreSQL` {
    @Test(arguments: [
        (
            "40001", PostgresFailure.Kind.contended,
            "timeout: another process uses it (SQLSTATE 40001)"
        ),
        ("25006", .readOnly, "it is read-only, or access is denied (SQLSTATE 25006)"),
        ("57P01", .lost, "it is closed, or its disk or server failed (SQLSTATE 57P01)"),
        ("08006", .lost, "it is closed, or its disk or server failed (SQLSTATE 08006)"),
        ("53100", .refused, "no space is left on the disk (SQLSTATE 53100)"),
        ("42703", .refused, "it does not support this operation (SQLSTATE 42703)"),
    ])
    func `prints the server's own code, whatever follows from it`(
        _ state: String,
        _ kind: PostgresFailure.Kind,
        _ text: String
    ) {
        let failure = PostgresFailure(sqlState: state)
        #expect(failure.kind == kind)
        #expect(failure.storeFailure.description == text)
    }

    @Test func `keeps the code of a server that no longer accepts writes`() {
        let failure = PostgresFailure(sqlState: "25006").ofWriter
        #expect(failure.kind == .lost)
        #expect(
            failure.storeFailure.description
                == "it is closed, or its disk or server failed (SQLSTATE 25006)"
        )
    }
}
