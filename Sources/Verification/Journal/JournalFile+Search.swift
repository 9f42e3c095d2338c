import TransactionApproval

extension JournalFile {
    /// A line on its own, with the place where the next one starts.
    private struct Place {
        let text: [UInt8]
        let line: JournalLine
        let start: Int
        var next: Int { start + text.count + 1 }
    }

    /// The first line of this epoch or a later one whose checkpoint is not before `sequence`.
    ///
    /// Epochs and numbers only increase in a journal, so it reads few lines. Returns nil if there is
    /// no such line.
    func firstCheckpoint(
        in epoch: Epoch,
        notBefore sequence: UInt64
    ) throws(JournalFailure) -> (checkpoint: Checkpoint, text: [UInt8])? {
        var (low, high) = (0, try byteCount())
        var found: Place?
        while low < high {
            guard let place = try place(around: low + (high - low) / 2) else {
                // An incomplete last line: nothing relies on it yet.
                high = try startOfLine(around: low + (high - low) / 2)
                continue
            }
            let checkpoint = place.line.checkpoint
            if (checkpoint.epoch.value, checkpoint.head.sequence) >= (epoch.value, sequence) {
                found = place
                high = place.start
            } else {
                low = place.next
            }
        }
        return found.map { ($0.line.checkpoint, $0.text) }
    }

    /// The line that contains this offset; nil if it has no end.
    private func place(around offset: Int) throws(JournalFailure) -> Place? {
        let start = try startOfLine(around: offset)
        var text: [UInt8] = []
        while true {
            let read = try bytes(at: start + text.count)
            guard !read.isEmpty else { return nil }
            guard let end = read.firstIndex(of: Self.newline) else {
                text += read
                guard text.count <= Self.maximumBytesInLine else { throw try damage(at: start) }
                continue
            }
            text += read[..<end]
            guard let line = JournalLine(text) else { throw try damage(at: start) }
            return Place(text: text, line: line, start: start)
        }
    }

    private func startOfLine(around offset: Int) throws(JournalFailure) -> Int {
        var end = offset
        while end > 0 {
            let start = max(0, end - Self.bytesAtOnce)
            let read = try bytes(at: start).prefix(end - start)
            if let newline = read.lastIndex(of: Self.newline) { return start + newline + 1 }
            guard offset - start <= Self.maximumBytesInLine else { throw try damage(at: start) }
            end = start
        }
        return 0
    }
}
