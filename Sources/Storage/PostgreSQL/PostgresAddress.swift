import CPostgres

/// The address of a database, as a libpq connection string: TCP or a Unix socket, one or more hosts.
struct PostgresAddress: Sendable {
    /// The timeout of one transaction: for other transactions, for the server, and for a failover.
    let timeout: Duration
    private let connectionString: String

    /// Rejects a password: other users can see the arguments of a process.
    ///
    /// `passfile=` names the file that contains it.
    init(_ connectionString: String, timeout: Duration) throws(StoreFailure) {
        guard let options = PQconninfoParse(connectionString, nil) else { throw .malformedAddress }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let isPassword = ["password", "sslpassword"].contains(String(cString: keyword))
            guard !isPassword || option.pointee.val == nil else { throw .malformedAddress }
            option += 1
        }
        self.connectionString = connectionString
        self.timeout = timeout
    }

    /// Blocks until a server accepts the connection or all hosts have failed.
    func connect() -> OpaquePointer? {
        withCStrings(options.map(\.key)) { keywords in
            withCStrings(options.map(\.value)) { values in
                PQconnectdbParams(keywords, values, 1)
            }
        }
    }

    /// The connection string overrides the options before it, but not those after it.
    private var options: KeyValuePairs<String, String> {
        [
            "connect_timeout": "5",
            // Detects within seconds that the server or the network has failed.
            "keepalives_idle": "5",
            "keepalives_interval": "2",
            "keepalives_count": "3",
            "tcp_user_timeout": "10000",
            // Selects the primary, which changes at a failover.
            "target_session_attrs": "read-write",
            "application_name": "countersign",
            "dbname": connectionString,
            "client_encoding": "UTF8",
        ]
    }
}

private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let bytes = strings.flatMap { Array($0.utf8CString) }
    return bytes.withUnsafeBufferPointer { buffer in
        var pointers: [UnsafePointer<CChar>?] = []
        var offset = 0
        for string in strings {
            pointers.append(buffer.baseAddress.map { $0 + offset })
            offset += string.utf8.count + 1
        }
        return body(pointers + [nil])
    }
}
