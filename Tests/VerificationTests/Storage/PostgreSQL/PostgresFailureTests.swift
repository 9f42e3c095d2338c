import Testing

@testable import Storage

@Suite struct `A failure of PostgreSQL` {
    @Test(arguments: [
        (
            "40001", PostgresFailure.Kind.contended,
            "timeout: other processes use the store (SQLSTATE 40001)"
        ),
        ("25006", .readOnly, "cannot open the store for writing (SQLSTATE 25006)"),
        ("57P01", .lost, "cannot read or write the store (SQLSTATE 57P01)"),
        ("08006", .lost, "cannot read or write the store (SQLSTATE 08006)"),
        ("53100", .refused, "the disk of the store is full (SQLSTATE 53100)"),
        ("42703", .refused, "the store does not support this operation (SQLSTATE 42703)"),
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
                == "cannot open the store for writing (SQLSTATE 25006)"
        )
    }
}
