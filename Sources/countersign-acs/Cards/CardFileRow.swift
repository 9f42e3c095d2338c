import ThreeDSIssuer

/// A line of a file with cards.
struct CardFileRow {
    let line: Int
    private let isTooLong: Bool
    private let bytes: [UInt8]

    /// Some programs end a line with CR and LF.
    init(line: Int, _ bytes: ArraySlice<UInt8>) {
        (self.line, isTooLong) = (line, false)
        self.bytes = Array(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
    }

    /// A line whose content was not kept.
    init(tooLongLine line: Int) {
        (self.line, isTooLong, bytes) = (line, true, [])
    }

    var isEmpty: Bool { bytes.isEmpty && !isTooLong }

    /// Only the header may be compared as text; some programs write a byte order mark before it.
    var textWithoutMark: String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        return String(decoding: text, as: UTF8.self)
    }

    /// Lends the digits, and the account after the only comma.
    func parsed<Outcome, Failure: Error>(
        _ body: (Span<UInt8>, CardAccount) throws(Failure) -> Result<Outcome, CardRowRefusal>
    ) throws(Failure) -> Result<Outcome, CardRowRefusal> {
        guard !isTooLong else { return .failure(.tooLongRow) }
        let commas = bytes.indices.filter { bytes[$0] == UInt8(ascii: ",") }
        guard !bytes.contains(UInt8(ascii: "\"")) else { return .failure(.quotedField) }
        guard commas.count == 1 else { return .failure(.malformedRow) }
        let name = String(decoding: bytes[(commas[0] + 1)...], as: UTF8.self)
        guard let account = CardAccount(name) else { return .failure(.malformedAccount) }
        return try body(bytes.span.extracting(first: commas[0]), account)
    }
}
