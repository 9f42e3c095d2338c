/// Why a server did not do what it was told.
enum PostgresFailure: Error, Equatable {
    /// Other transactions were in the way: the same one may succeed when it is run again.
    case contended
    /// The connection is gone. What it was not committing has left nothing.
    case lost
    /// The transaction may only read: it was begun so, or the server takes no writes.
    case readOnly
    case refused(StoreFailure)

    /// Translates a SQLSTATE (PostgreSQL's documentation, appendix A).
    init(sqlState: String) {
        switch sqlState {
        case "40001", "40P01": self = .contended
        // Among others the states of a server that stops, starts, or ends this session.
        case "57P01", "57P02", "57P03", "57P05", "25P03", "53300", "40003": self = .lost
        case "25006": self = .readOnly
        case "08P01": self = .refused(.misuse)
        case _ where sqlState.hasPrefix("08"): self = .lost
        default: self = .refused(StoreFailure(sqlState: sqlState))
        }
    }

    /// Whether the same transaction may succeed when it is run again.
    var mayPass: Bool { self == .contended || self == .lost }

    /// What callers are told.
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
        switch sqlState {
        case "23503", "23505": self = .conflict
        case "42501": self = .readOnly
        case "42P07": self = .exists
        case "53100": self = .full
        case "55P03": self = .busy
        case "XX001", "XX002": self = .damaged
        default:
            let isMachines = ["53", "57", "58", "XX"].contains { sqlState.hasPrefix($0) }
            self = isMachines ? .unavailable : .misuse
        }
    }
}
