/// Why a server did not run a statement.
enum PostgresFailure: Error, Equatable {
    /// The transaction conflicted with others; a retry may succeed.
    case contended
    /// The connection is gone. Except for a commit, its transaction left nothing behind.
    case lost
    /// The transaction is read-only, or the server does not accept writes.
    case readOnly
    case refused(StoreFailure)

    /// Translates a SQLSTATE (PostgreSQL's documentation, appendix A).
    init(sqlState: String) {
        switch sqlState {
        case "40001", "40P01": self = .contended
        // Includes the states of a server that stops, starts, or ends this session.
        case "57P01", "57P02", "57P03", "57P05", "25P03", "53300", "40003": self = .lost
        case "25006": self = .readOnly
        case "08P01": self = .refused(StoreFailure(sqlState: sqlState))
        case _ where sqlState.hasPrefix("08"): self = .lost
        default: self = .refused(StoreFailure(sqlState: sqlState))
        }
    }

    /// Whether a retry of the same transaction may succeed.
    var isTransient: Bool { self == .contended || self == .lost }

    var storeFailure: StoreFailure {
        switch self {
        case .contended: .busy
        case .lost: .unavailable
        case .readOnly: .readOnly
        case .refused(let failure): failure
        }
    }
}

extension StoreFailure {
    fileprivate init(sqlState: String) {
        let reason: Reason =
            switch sqlState {
            case "23503", "23505": .conflict
            case "42501": .readOnly
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
