import CommandLineTool
import ConfigurationFiles
import PrivateFiles
import ThreeDSIssuer

/// A CSV file with card numbers and accounts, which is read once, in blocks.
///
/// A line is never part of a failure: it contains a card number.
final class CardFile {
    static let header = "card,account"

    let byteCount: Int
    private(set) var bytesRead = 0
    private let name: String
    private let file: PrivateFile
    /// The part of the file that was read, after the last line.
    private var rest: ArraySlice<UInt8> = []
    private var isAtEnd = false
    private var line = 0

    /// A number, and an identifier for each of the three names of an account.
    private static let maximumLineLength = 256
    private static let blockSize = 64 << 10

    init(_ path: FilePath) throws(CommandFailure) {
        name = path.shownName
        do throws(FileFailure) {
            file = try PrivateFile(path.text, for: .reading)
            byteCount = try file.descriptor.byteCount()
        } catch {
            throw CommandFailure(error, of: name)
        }
        guard let first = try nextLine(), first.textWithoutMark == Self.header else {
            throw CommandFailure(
                .malformedInput,
                "\(name): the first line is not \(Self.header)",
                hint: "write the two names without quotation marks, and separate them by a comma"
            )
        }
    }

    /// The next row; nil at the end.
    func next() throws(CommandFailure) -> CardFileRow? {
        while let row = try nextLine() {
            if !row.isEmpty { return row }
        }
        return nil
    }

    /// The content of a line that is too long is skipped, and not kept.
    private func nextLine() throws(CommandFailure) -> CardFileRow? {
        var isTooLong = false
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = rest[(end + 1)...] }
                return row(rest[..<end], isTooLong: isTooLong)
            }
            if isAtEnd {
                defer { rest = [] }
                return rest.isEmpty && !isTooLong ? nil : row(rest, isTooLong: isTooLong)
            }
            if rest.count > Self.maximumLineLength { (isTooLong, rest) = (true, []) }
            try readBlock()
        }
    }

    private func row(_ text: ArraySlice<UInt8>, isTooLong: Bool) -> CardFileRow {
        line += 1
        guard !isTooLong, text.count <= Self.maximumLineLength else {
            return CardFileRow(tooLongLine: line)
        }
        return CardFileRow(line: line, text)
    }

    private func readBlock() throws(CommandFailure) {
        do throws(FileFailure) {
            let next = try file.descriptor.bytes(at: bytesRead, atMost: Self.blockSize)
            bytesRead += next.count
            rest = rest + next
            isAtEnd = next.isEmpty
        } catch {
            throw CommandFailure(error, of: name)
        }
    }
}
