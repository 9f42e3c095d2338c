extension JournalFile {
    /// What its last line was signed over, which is up to where the trail is vouched for.
    package func lastCheckpoint() throws(JournalFailure) -> Checkpoint {
        guard let checkpoint = try end().checkpoint else { throw .damagedLine(1) }
        return checkpoint
    }
}
