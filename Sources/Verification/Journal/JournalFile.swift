package import Cryptography

/// The journal's file: signed lines, each with the hash of the one before it.
///
/// The last signature is over everything before it, so a line that was changed, taken out, put in
/// or moved is found by who reads them all, as a restore and an audit do. To go on, the last line is
/// enough: it holds all that the next one needs, so a journal takes no longer to open the longer it
/// gets. What cannot be found in the file is that its end was cut off between two lines: that is an
/// older journal. A last line without its end is what a crash left of a line that nobody relied on,
/// and is written over.
package struct JournalFile: Sendable {
    static let maximumBytesInLine = 1 << 20
    private static let bytesAtOnce = 64 << 10

    private let file: PrivateFile
    let key: P256.PublicKey

    /// Where whole lines end, and what the last one said.
    struct End: Sendable {
        fileprivate(set) var offset = 0
        /// How many lines were read to get here.
        fileprivate(set) var lineCount = 0
        fileprivate(set) var lineHash = [UInt8](repeating: 0, count: 32)
        fileprivate(set) var checkpoint: Checkpoint?
    }

    /// Opens a journal whose lines are signed by `key`.
    package init(_ path: String, signedBy key: P256.PublicKey) throws(JournalFailure) {
        file = try Self.onFile { () throws(StoreFailure) in
            try PrivateFile(path, for: .writing)
        }
        self.key = key
    }

    private init(_ file: PrivateFile, signedBy key: P256.PublicKey) {
        self.file = file
        self.key = key
    }

    /// Makes a file that is there with its first line, or not at all.
    static func create(
        at path: String,
        beginningWith checkpoint: Checkpoint,
        signedBy key: P256.PrivateKey
    ) throws(JournalFailure) -> (JournalFile, End) {
        let new = try onFile { () throws(StoreFailure) in try IncompleteFile(for: path) }
        let file = JournalFile(new.file, signedBy: key.publicKey)
        let end = try file.append(checkpoint, [], signedBy: key, after: End())
        try onFile { () throws(StoreFailure) in try new.finish() }
        return (file, end)
    }

    /// Reads on from `end`, and refuses the first line that is not what was written there.
    ///
    /// No journal is without a line: one that is was emptied.
    func read(
        from end: End = End(),
        _ body: (JournalLine) throws(JournalFailure) -> Void = { _ in }
    ) throws(JournalFailure) -> End {
        var end = end
        var last: [UInt8] = []
        var rest: [UInt8] = []
        var offset = end.offset
        while true {
            let read = try Self.onFile { () throws(StoreFailure) in
                try file.bytes(at: offset, atMost: Self.bytesAtOnce)
            }
            guard !read.isEmpty else { break }
            offset += read.count
            rest += read
            while let length = rest.firstIndex(of: Self.newline) {
                let text = Array(rest[..<length])
                rest.removeFirst(length + 1)
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
            // Which of the two it is, the signature of the one before tells.
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

    /// Names the line that begins there by its number, for which those before it are counted.
    private func damage(at offset: Int) throws(JournalFailure) -> JournalFailure {
        var (lineCount, start) = (0, 0)
        while start < offset {
            let bytes = try Self.onFile { () throws(StoreFailure) in
                try file.bytes(at: start, atMost: min(Self.bytesAtOnce, offset - start))
            }
            guard !bytes.isEmpty else { break }
            lineCount += bytes.count { $0 == Self.newline }
            start += bytes.count
        }
        return .damagedLine(lineCount + 1)
    }

    /// Where the journal ends, by its last line alone, whose signature must be right.
    ///
    /// Where it is not, all lines are read to name the one that is damaged.
    func end() throws(JournalFailure) -> End {
        guard
            let (text, offset) = try lastLine(), let line = JournalLine(text), try isSigned(text)
        else { return try read() }
        return try Self.end(of: line, text, at: offset, 1)
    }

    /// The last line with an end, and where it begins; nil where there is none, or not within the
    /// length of two.
    private func lastLine() throws(JournalFailure) -> (text: [UInt8], offset: Int)? {
        var start = try Self.onFile { () throws(StoreFailure) in try file.byteCount }
        var tail: [UInt8] = []
        while start > 0, tail.count <= 2 * Self.maximumBytesInLine {
            let count = min(start, Self.bytesAtOnce)
            start -= count
            tail =
                try Self.onFile { [start] () throws(StoreFailure) in
                    try file.bytes(at: start, atMost: count)
                } + tail
            guard let end = tail.lastIndex(of: Self.newline) else { continue }
            let before = tail[..<end].lastIndex(of: Self.newline)
            if before == nil, start > 0 { continue }
            let first = before.map { $0 + 1 } ?? 0
            return (Array(tail[first..<end]), start + first)
        }
        return nil
    }

    /// Whether the last line that was read is signed; that there was none is no fault.
    private func isSigned(_ line: [UInt8]) throws(JournalFailure) -> Bool {
        if line.isEmpty { return true }
        return try JournalLine.isSigned(line, by: key)
    }

    /// Adds a line and has it on the disk; where somebody else added one since, only reads that.
    func append(
        _ checkpoint: Checkpoint,
        _ records: [AuditRecord],
        signedBy key: P256.PrivateKey,
        after end: End
    ) throws(JournalFailure) -> End {
        let line = JournalLine(
            checkpoint: checkpoint,
            records: records,
            previous: end.lineHash
        )
        let text = try line.signed(by: key)
        let new = try Self.end(of: line, text, at: end.offset, end.lineCount + 1)
        let isWritten = try Self.onFile { () throws(StoreFailure) in
            try file.locked { () throws(StoreFailure) in
                guard try !hasLine(from: end.offset) else { return false }
                try file.write(text + [Self.newline], endingAt: end.offset)
                return true
            }
        }
        return isWritten ? new : try read(from: end)
    }

    private func hasLine(from start: Int) throws(StoreFailure) -> Bool {
        var offset = start
        while true {
            let bytes = try file.bytes(at: offset, atMost: Self.bytesAtOnce)
            guard !bytes.isEmpty else { return false }
            guard !bytes.contains(Self.newline) else { return true }
            offset += bytes.count
        }
    }

    private static func hash(of line: [UInt8]) throws(JournalFailure) -> [UInt8] {
        try onThisMachine { () throws(CryptographyFailure) in
            try HashAlgorithm.sha256.digest(of: line.span).array
        }
    }

    private static func onFile<Result>(
        _ body: () throws(StoreFailure) -> Result
    ) throws(JournalFailure) -> Result {
        do throws(StoreFailure) {
            return try body()
        } catch {
            throw .file(error)
        }
    }

    private static let newline = UInt8(ascii: "\n")
}
