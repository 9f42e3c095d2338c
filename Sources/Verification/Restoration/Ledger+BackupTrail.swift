import Storage

extension Ledger {
    /// The rows of a backup that do not match its trail, which must lead to its head.
    ///
    /// Rows of discarded records can be put in after the backup was put back, and before its restore.
    /// The trail has no record of them. Call it after the restore wrote new tags. Other connections
    /// cannot change such rows before the commit, so no row is exchanged after it was compared.
    func rowsAgainstTrail(
        endingAt state: StoreState
    ) throws(StoreFailure) -> Result<Set<String>, JournalFailure> {
        // It checks no tags, because the trail alone proves each record, up to the checked head.
        let reader = Ledger(connection, nil)
        reader.recorded.state = state
        var audit = try Audit(ledger: reader)
        try audit.walk { _ in }
        guard audit.report.isComplete else {
            return .failure(.damagedTrail(at: audit.firstDamaged(before: state.audit)))
        }
        try audit.compareRows { _ in }
        // Missing rows do not count: they cannot be used.
        guard let rows = audit.report.unconfirmedRows else { return .failure(.contradictedRows) }
        return .success(rows)
    }
}

extension Audit {
    /// The number of the first record that is missing, changed or extra.
    fileprivate func firstDamaged(before end: AuditHead) -> UInt64 {
        let last = report.furtherCount == 0 ? report.findings.last?.sequence : nil
        return min(last ?? report.checked + 1, end.sequence + 1)
    }
}
