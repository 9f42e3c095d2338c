// Compiled with Sources/Verification/Loading/CSVRecord.swift

/// An accepted line has the same values when written with all fields in quotes.
///
/// Most inputs are correctly rejected, so `try?` loses nothing.
@_cdecl("LLVMFuzzerTestOneInput")
func readCSVRecord(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let line = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let fields = texts(of: line) else { return 0 }
    precondition(!fields.isEmpty, "a line has a field")
    let known = fields.compactMap { $0 }
    guard known.count == fields.count else {
        precondition(String(validating: line, as: UTF8.self) == nil, "the line was not UTF-8")
        return 0
    }
    let quoted = known.map { "\"" + doubled($0.utf8) + "\"" }.joined(separator: ",")
    precondition(texts(of: Array(quoted.utf8)) == fields, "each field has the same value again")
    return 0
}

/// Nil if it is not a record; nil for a field that is not text.
private func texts(of line: [UInt8]) -> [String?]? {
    var record = CSVRecord()
    guard (try? record.split(line.span)) != nil else { return nil }
    return record.fields.map { CSVRecord.text(of: $0, in: line.span) }
}

private func doubled(_ text: String.UTF8View) -> String {
    let quote = UInt8(ascii: "\"")
    return String(decoding: text.flatMap { $0 == quote ? [$0, $0] : [$0] }, as: UTF8.self)
}
