extension JournalFile {
    /// The checkpoint in the last signed line.
    package func lastCheckpoint() throws(JournalFailure) -> Checkpoint {
        guard let checkpoint = try end().checkpoint else { throw .damagedLine(1) }
        return checkpoint
    }
}
