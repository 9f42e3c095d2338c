import CPostgres

/// Where a database is, as libpq's connection strings say it: TCP or a Unix socket, one host or
/// several.
struct PostgresAddress: Sendable {
    /// How long one transaction waits for others, for the server, and for another server.
    let timeout: Duration
    private let connectionString: String

    /// Refuses a password, which may have come by an argument that others see.
    ///
    /// `passfile=` names the file that holds it.
    init(_ connectionString: String, timeout: Duration) throws(StoreFailure) {
        guard let options = PQconninfoParse(connectionString, nil) else { throw .misuse }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let isPassword = ["password", "sslpassword"].contains(String(cString: keyword))
            guard !isPassword || option.pointee.val == nil else { throw .misuse }
            option += 1
        }
        self.connectionString = connectionString
        self.timeout = timeout
    }

    /// Blocks until a server answers or none does.
    func connect() -> OpaquePointer? {
        withCStrings(options.map(\.key)) { keywords in
            withCStrings(options.map(\.value)) { values in
                PQconnectdbParams(keywords, values, 1)
            }
        }
    }

    /// The connection string may say otherwise, but for what follows it.
    private var options: KeyValuePairs<String, String> {
        [
            "connect_timeout": "5",
            // A server or a network that vanished is found out within seconds.
            "keepalives_idle": "5",
            "keepalives_interval": "2",
            "keepalives_count": "3",
            "tcp_user_timeout": "10000",
            // Of several hosts the one that takes writes, which changes at a failover.
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
