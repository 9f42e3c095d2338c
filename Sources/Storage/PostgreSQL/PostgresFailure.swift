/// Why a server did not run a statement.
struct PostgresFailure: Error {
    enum Kind {
        /// The transaction conflicted with others; a retry may succeed.
        case contended
        /// The connection is gone. Except for a commit, its transaction left nothing behind.
        case lost
        /// The transaction is read-only, or the server does not accept writes.
        case readOnly
        case refused
    }

    let kind: Kind
    /// With the SQLSTATE, if the server sent one.
    let storeFailure: StoreFailure

    private init(_ kind: Kind, _ storeFailure: StoreFailure) {
        (self.kind, self.storeFailure) = (kind, storeFailure)
    }

    static let lost = PostgresFailure(.lost, .unavailable)

    /// With libpq's text about each host that it tried.
    static func unconnected(_ text: String) -> PostgresFailure {
        PostgresFailure(.lost, StoreFailure(.unavailable, .connection(oneLine(text))))
    }

    static func openPasswordFile(_ path: String) -> PostgresFailure {
        PostgresFailure(.lost, StoreFailure(.unavailable, .passwordFile(oneLine(path))))
    }

    private static func oneLine(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return String(lines.joined(separator: "; ").prefix(maximumText))
    }

    /// A line of the log has at most 4,096 bytes.
    private static let maximumText = 500

    static func refused(_ failure: StoreFailure) -> PostgresFailure {
        PostgresFailure(.refused, failure)
    }

    /// Translates a SQLSTATE (PostgreSQL's documentation, appendix A).
    ///
    /// `text` is the server's message. It may contain stored data, except about a missing right.
    init(sqlState: String, text: String = "") {
        let failure = StoreFailure(sqlState: sqlState)
        switch sqlState {
        case "42501":
            let cause = StoreFailure.Cause.denied(Self.oneLine(text))
            self.init(.refused, StoreFailure(.missingRight, cause))
        case "40001", "40P01":
            self.init(.contended, StoreFailure(.busy, failure.cause))
        case "25006": self.init(.readOnly, StoreFailure(.readOnly, failure.cause))
        // Includes the states of a server that stops, starts, or ends this session.
        case "57P01", "57P02", "57P03", "57P05", "25P03", "53300", "40003",
            _ where sqlState.hasPrefix("08") && sqlState != "08P01":
            self.init(.lost, StoreFailure(.unavailable, failure.cause))
        default: self.init(.refused, failure)
        }
    }

    /// Treats a session that no longer accepts writes, as after a failover, as lost: a new session
    /// finds the new primary.
    var ofWriter: PostgresFailure {
        guard kind == .readOnly else { return self }
        return PostgresFailure(.lost, storeFailure)
    }

    /// Whether a retry of the same transaction may succeed.
    var isTransient: Bool { kind == .contended || kind == .lost }

    func isState(_ sqlState: String) -> Bool { storeFailure.cause == .sqlState(sqlState) }
}

extension StoreFailure {
    fileprivate init(sqlState: String) {
        let reason: Reason =
            switch sqlState {
            case "23503", "23505": .conflict
            case "42P07": .exists
            case "53100": .full
            case "55P03": .busy
            case "XX001", "XX002": .damaged
            // Classes of errors of the server or its operating system.
            case _ where ["53", "57", "58", "XX"].contains { sqlState.hasPrefix($0) }: .unavailable
            default: .misuse
            }
        self.init(reason, .sqlState(sqlState))
    }
}
