extension Challenge.Verdict {
    /// Whether the person has decided.
    var isByPerson: Bool {
        switch self {
        case .approved, .rejected, .suspected: true
        case .locked, .noDevice, .cardBlocked, .expired, .failed: false
        }
    }

    /// The result that the ACS reports.
    package var report: ResultReport {
        switch self {
        case .approved: .approved
        case .rejected: .rejected
        case .suspected: .suspected
        case .locked: .locked
        case .noDevice: .noDevice
        case .cardBlocked: .cardBlocked
        case .expired: .expired
        case .failed: .failed
        }
    }
}
