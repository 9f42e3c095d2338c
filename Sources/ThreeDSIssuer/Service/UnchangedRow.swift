import Storage

/// Detects a row that no statement finds or changes by its key, although it stays as it is.
///
/// A damaged index, or a rule of another program, has this effect. A key or a card that changes
/// meanwhile leaves the content for an attempt, and any other change leaves another content.
struct UnchangedRow {
    private static let maximumCount = 10
    private var content = SQLValue.null
    private var count = 0

    /// Notes an attempt that failed, with the content that it had read.
    mutating func note(
        _ found: SQLValue,
        of subject: IssuerRecord.Subject
    ) throws(StoreFailure) {
        count = found == content ? count + 1 : 0
        guard count < Self.maximumCount else { throw .forged(row: subject.name) }
        content = found
    }
}
