import Cryptography
import FailureTranslation
import PrivateFiles

/// Reads a file line by line into a small buffer of locked memory.
struct LineReader: ~Copyable {
    /// The maximum length of a line, without its line break.
    static let maximumBytes = 4000
    private static let bufferByteCount = 2 * 4096

    private let file: PrivateFile
    let byteCount: Int
    private(set) var bytesRead = 0
    private var buffer: SecureBytes
    /// The current line's place in the buffer.
    private(set) var line = 0..<0
    private var next = 0
    private var end = 0
    private var isAtEnd = false

    init(_ path: String) throws(LoadFailure) {
        // The throwing calls come first, because a noncopyable value cannot be partly initialized.
        let file = try translating(PrivateFile(path, for: .reading), to: LoadFailure.file)
        let byteCount = try translating(file.descriptor.byteCount(), to: LoadFailure.file)
        let buffer = try memory(Self.bufferByteCount)
        self.file = file
        self.byteCount = byteCount
        self.buffer = buffer
    }

    /// Moves to the next line; returns false at the end of the file.
    mutating func advance() throws(LoadFailure) -> Bool {
        var searched = next
        while true {
            if let newline = newline(from: searched) {
                try take(upTo: newline, next: newline + 1)
                return true
            }
            searched = end
            // One more byte, which may belong to the line break.
            guard searched - next <= Self.maximumBytes + 1 else { throw .lineTooLong }
            guard !isAtEnd else {
                guard next < end else { return false }
                try take(upTo: end, next: end)
                return true
            }
            searched -= next
            try refill()
        }
    }

    private mutating func take(upTo lineEnd: Int, next: Int) throws(LoadFailure) {
        let start = self.next
        let endsInReturn = buffer.withBytes { bytes in
            lineEnd > start && bytes[lineEnd - 1] == UInt8(ascii: "\r")
        }
        line = start..<(endsInReturn ? lineEnd - 1 : lineEnd)
        guard line.count <= Self.maximumBytes else { throw .lineTooLong }
        bytesRead += next - start
        self.next = next
    }

    func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withBytes { bytes throws(Failure) in try body(bytes.extracting(line)) }
    }

    private func newline(from start: Int) -> Int? {
        buffer.withBytes { bytes in
            for index in start..<end where bytes[index] == UInt8(ascii: "\n") { return index }
            return nil
        }
    }

    /// Copies the unread bytes to a new buffer, and reads more after them.
    private mutating func refill() throws(LoadFailure) {
        let (rest, file) = (next..<end, file)
        var result = Result<Int, FileFailure>.success(0)
        let filled = try buffer.withBytes { old throws(LoadFailure) in
            try memory(Self.bufferByteCount) { new in
                for index in rest { new[index - rest.lowerBound] = old[index] }
                new.withUnsafeMutableBufferPointer { new in
                    let free = UnsafeMutableBufferPointer(rebasing: new[rest.count...])
                    result = Result { () throws(FileFailure) in try file.descriptor.fill(free) }
                }
            }
        }
        let count = try translating(result.get(), to: LoadFailure.file)
        buffer = filled
        next = 0
        end = rest.count + count
        isAtEnd = count == 0
    }
}

private func memory(
    _ byteCount: Int,
    filledBy fill: (inout MutableSpan<UInt8>) -> Void = { _ in }
) throws(LoadFailure) -> SecureBytes {
    try translatingSystemFailure(SecureBytes(writing: byteCount, by: fill), to: LoadFailure.system)
}
