package import Cryptography
import FailureTranslation
package import PrivateFiles

/// The file of a journal: signed lines, each with the hash of the one before it.
///
/// The last signature covers all lines before it. A restore and an audit read all lines and find each
/// line that was changed, removed, added or moved. Continuing needs only the last line, so the time
/// to open a journal does not depend on its length. A file that was cut between two lines is a valid
/// older journal; the file alone cannot show that. An incomplete last line was left by a crash before
/// anything relied on it, and is overwritten.
package struct JournalFile: Sendable {
    /// For one record of the maximum size.
    static let maximumBytesInLine = 2 * AuditRecord.maximumBytesOfTraces + (2 << 20)
    static let bytesAtOnce = 64 << 10

    private let file: PrivateFile
    private let unsynced = UnsyncedWrites()
    private let path: String
    private let access: PrivateFile.Access
    let key: P256.PublicKey

    /// The end of the complete lines, and the contents of the last one.
    package struct End: Sendable {
        fileprivate(set) var offset = 0
        /// How many lines were read.
        fileprivate(set) var lineCount = 0
        fileprivate(set) var lineHash = [UInt8](repeating: 0, count: 32)
        fileprivate(set) var checkpoint: Checkpoint?
    }

    /// Opens a journal whose lines are signed by `key`.
    package init(
        _ path: String,
        signedBy key: P256.PublicKey,
        for access: PrivateFile.Access = .writing
    ) throws(JournalFailure) {
        let file = try translating(PrivateFile(path, for: access), to: JournalFailure.file)
        self.init(file, at: path, signedBy: key, for: access)
    }

    private init(
        _ file: PrivateFile,
        at path: String,
        signedBy key: P256.PublicKey,
        for access: PrivateFile.Access
    ) {
        self.file = file
        self.path = path
        self.access = access
        self.key = key
    }

    /// Creates the file together with its first line.
    static func create(
        at path: String,
        beginningWith checkpoint: Checkpoint,
        signedBy key: P256.PrivateKey
    ) throws(JournalFailure) -> (JournalFile, End) {
        let new = try translating(IncompleteFile(for: path), to: JournalFailure.file)
        let file = JournalFile(new.file, at: path, signedBy: key.publicKey, for: .writing)
        // First: a journal without it cannot be opened.
        try HeadFile.create(ofJournal: path, with: checkpoint)
        let end = try file.append(checkpoint, [], signedBy: key, after: End())
        try translating(new.finish(), to: JournalFailure.file)
        return (file, end)
    }

    /// Reads on from `end`; fails at the first line that was changed.
    ///
    /// A journal always has a line: an empty file was emptied.
    func read(
        from end: End = End(),
        _ body: (JournalLine) throws(JournalFailure) -> Void = { _ in }
    ) throws(JournalFailure) -> End {
        var end = end
        var last: [UInt8] = []
        var rest: [UInt8] = []
        var offset = end.offset
        while true {
            let read = try bytes(at: offset)
            guard !read.isEmpty else { break }
            offset += read.count
            // A line can be much longer than the buffer: only the new bytes can contain its end.
            var searched = rest.count
            rest += read
            while let length = rest[searched...].firstIndex(of: Self.newline) {
                let text = Array(rest[..<length])
                rest.removeFirst(length + 1)
                searched = 0
                try body(try next(text, after: last, at: &end))
                last = text
            }
            guard rest.count <= Self.maximumBytesInLine else { throw try damage(at: end.offset) }
        }
        guard try isSigned(last) else { throw try damage(before: end.offset, last) }
        guard end.checkpoint != nil else { throw .damagedLine(1) }
        return end
    }

    private func next(
        _ text: [UInt8],
        after last: [UInt8],
        at end: inout End
    ) throws(JournalFailure) -> JournalLine {
        guard let line = JournalLine(text) else { throw try damage(at: end.offset) }
        guard line.previous == end.lineHash else {
            // The signature of the line before shows which of the two was changed.
            throw try isSigned(last) ? damage(at: end.offset) : damage(before: end.offset, last)
        }
        end = try Self.end(of: line, text, at: end.offset, end.lineCount + 1)
        return line
    }

    private static func end(
        of line: JournalLine,
        _ text: [UInt8],
        at offset: Int,
        _ lineCount: Int
    ) throws(JournalFailure) -> End {
        End(
            offset: offset + text.count + 1,
            lineCount: lineCount,
            lineHash: try hash(of: text),
            checkpoint: line.checkpoint
        )
    }

    private func damage(
        before offset: Int,
        _ line: [UInt8]
    ) throws(JournalFailure) -> JournalFailure {
        try damage(at: offset - line.count - 1)
    }

    /// Counts the lines to find the number of the line at this offset.
    func damage(at offset: Int) throws(JournalFailure) -> JournalFailure {
        var (lineCount, start) = (0, 0)
        while start < offset {
            let bytes = try bytes(at: start).prefix(offset - start)
            guard !bytes.isEmpty else { break }
            lineCount += bytes.count { $0 == Self.newline }
            start += bytes.count
        }
        return .damagedLine(lineCount + 1)
    }

    func byteCount() throws(JournalFailure) -> Int {
        try translating(file.descriptor.byteCount(), to: JournalFailure.file)
    }

    /// At most `bytesAtOnce`; empty at the end.
    func bytes(at offset: Int) throws(JournalFailure) -> [UInt8] {
        try translating(
            file.descriptor.bytes(at: offset, atMost: Self.bytesAtOnce),
            to: JournalFailure.file
        )
    }

    /// Finds the end of the journal by its last line, and checks its signature.
    ///
    /// If the signature is wrong, it reads all lines to find the number of the damaged one.
    func end() throws(JournalFailure) -> End {
        guard
            let (text, offset) = try lastLine(), let line = JournalLine(text), try isSigned(text)
        else { return try read() }
        return try Self.end(of: line, text, at: offset, 1)
    }

    /// The checkpoint in the last signed line.
    package func lastCheckpoint() throws(JournalFailure) -> Checkpoint {
        guard let checkpoint = try end().checkpoint else { throw .damagedLine(1) }
        return checkpoint
    }

    /// The file of the last head.
    func headFile() throws(JournalFailure) -> HeadFile {
        guard let file = try HeadFile(ofJournal: path, for: access) else { throw .lostHead }
        return file
    }

    /// The last head whose results were returned; nil without its file, as in a copy of the journal.
    func lastReturned() throws(JournalFailure) -> Checkpoint? {
        try HeadFile(ofJournal: path, for: .reading)?.last()
    }

    /// The head of the last line, or a later one whose results were returned.
    ///
    /// The journal is signed only from time to time, and contains no approvals.
    func lastHead(after end: End) throws(JournalFailure) -> Checkpoint? {
        var returned: Checkpoint?
        do throws(JournalFailure) {
            returned = try lastReturned()
        } catch .lostHead {
            // A restore is the remedy for it.
        }
        guard let signed = end.checkpoint, let returned, returned.store == signed.store,
            returned.epoch == signed.epoch, signed < returned
        else { return end.checkpoint }
        return returned
    }

    /// The file of the last head, which is created if it does not exist.
    func requiredHeadFile(after end: End) throws(JournalFailure) -> HeadFile {
        if let file = try HeadFile(ofJournal: path) { return file }
        guard let checkpoint = end.checkpoint else { throw .damagedLine(1) }
        try HeadFile.create(ofJournal: path, with: checkpoint)
        return try headFile()
    }

    /// The last complete line and its offset; nil if there is none within the maximum length.
    private func lastLine() throws(JournalFailure) -> (text: [UInt8], offset: Int)? {
        var start = try byteCount()
        var tail: [UInt8] = []
        var end: Int?
        while start > 0, tail.count <= 2 * Self.maximumBytesInLine {
            let count = min(start, Self.bytesAtOnce)
            start -= count
            let read = try translating(
                file.descriptor.bytes(at: start, atMost: count),
                to: JournalFailure.file
            )
            tail = read + tail
            end = end.map { $0 + read.count } ?? read.lastIndex(of: Self.newline)
            guard let end else { continue }
            let before = read[..<min(end, read.count)].lastIndex(of: Self.newline)
            if before == nil, start > 0 { continue }
            let first = before.map { $0 + 1 } ?? 0
            return (Array(tail[first..<end]), start + first)
        }
        return nil
    }

    /// Whether the last line that was read is signed; true if there was none.
    private func isSigned(_ line: [UInt8]) throws(JournalFailure) -> Bool {
        if line.isEmpty { return true }
        return try JournalLine.isSigned(line, by: key)
    }

    /// Adds a line and makes it durable.
    ///
    /// If another process added a line since, only reads that.
    func append(
        _ checkpoint: Checkpoint,
        _ records: [AuditRecord],
        signedBy key: P256.PrivateKey,
        after end: End
    ) throws(JournalFailure) -> End {
        let line = JournalLine(checkpoint: checkpoint, records: records, previous: end.lineHash)
        let text = try line.signed(by: key)
        let new = try Self.end(of: line, text, at: end.offset, end.lineCount + 1)
        let isWritten = try translating(
            file.descriptor.locked { () throws(FileFailure) in
                guard try !hasLine(from: end.offset) else {
                    // It may be the line of a failed attempt.
                    if unsynced.mayExist { try writeAgain(from: end.offset) }
                    return false
                }
                try file.descriptor.truncate(to: end.offset)
                try file.descriptor.write((text + [Self.newline]).span, at: end.offset)
                try unsynced.end { () throws(FileFailure) in try file.descriptor.synchronise() }
                return true
            }.get(),
            to: JournalFailure.file
        )
        return isWritten ? new : try read(from: end)
    }

    private func writeAgain(from start: Int) throws(FileFailure) {
        var offset = start
        while true {
            let bytes = try file.descriptor.bytes(at: offset, atMost: Self.bytesAtOnce)
            guard !bytes.isEmpty else { break }
            try file.descriptor.write(bytes.span, at: offset)
            offset += bytes.count
        }
        try unsynced.end { () throws(FileFailure) in try file.descriptor.synchronise() }
    }

    private func hasLine(from start: Int) throws(FileFailure) -> Bool {
        var offset = start
        while true {
            let bytes = try file.descriptor.bytes(at: offset, atMost: Self.bytesAtOnce)
            guard !bytes.isEmpty else { return false }
            guard !bytes.contains(Self.newline) else { return true }
            offset += bytes.count
        }
    }

    private static func hash(of line: [UInt8]) throws(JournalFailure) -> [UInt8] {
        try translatingSystemFailure(
            HashAlgorithm.sha256.digest(of: line.span).array,
            to: JournalFailure.system
        )
    }

    static let newline = UInt8(ascii: "\n")
}
