import CPostgres
import Glibc

/// The address of a database, as a libpq connection string: TCP or a Unix socket, one or more hosts.
struct PostgresAddress: Sendable {
    /// The timeout of one transaction: for other transactions, for the server, and for a failover.
    let timeout: Duration
    let protection: ConnectionProtection
    private let connectionString: String
    private let passwordFile: String?

    /// Rejects a password: other users can see the arguments of a process.
    ///
    /// `passfile=` names the file that contains it. It also rejects the name of a service, whose file
    /// could set other hosts, and another machine without a verified server.
    init(_ connectionString: String, timeout: Duration) throws(StoreFailure) {
        guard let values = Self.values(in: connectionString) else { throw .malformedAddress }
        for keyword in ["password", "sslpassword", "service"] where values[keyword] != nil {
            throw StoreFailure(.malformedAddress, .keyword(keyword))
        }
        let defaults = Self.defaults
        protection = try ConnectionProtection(values, inDefaults: defaults)
        // With a password in the environment, libpq reads no file.
        passwordFile =
            defaults["password"] == nil
            ? values["passfile"] ?? defaults["passfile"] ?? Self.usualPasswordFile : nil
        self.connectionString = connectionString
        self.timeout = timeout
    }

    private static var usualPasswordFile: String? {
        getenv("HOME").map { String(cString: $0) + "/.pgpass" }
    }

    /// The values that a connection string sets, by their keywords; nil if it is malformed.
    static func values(in connectionString: String) -> [String: String]? {
        PQconninfoParse(connectionString, nil).map(values(of:))
    }

    /// The values of libpq's environment variables and defaults.
    private static var defaults: [String: String] { PQconndefaults().map(values(of:)) ?? [:] }

    private static func values(
        of options: UnsafeMutablePointer<PQconninfoOption>
    ) -> [String: String] {
        defer { PQconninfoFree(options) }
        var (option, values) = (options, [String: String]())
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return values
    }

    /// The file with the password, if others can access it.
    ///
    /// libpq would ignore it, and print a warning at each attempt.
    var openPasswordFile: String? {
        var status = stat()
        guard let passwordFile, stat(passwordFile, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_mode & (S_IRWXG | S_IRWXO) != 0
        else { return nil }
        return passwordFile
    }

    /// Blocks until a server accepts the connection or all hosts have failed.
    func connect() -> OpaquePointer? {
        let options = options.map { ($0, $1) } + protection.options
        return withCStrings(options.map(\.0)) { keywords in
            withCStrings(options.map(\.1)) { values in
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
