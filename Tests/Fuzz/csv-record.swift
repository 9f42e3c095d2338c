// Compiled with Sources/Verification/Loading/CSVRecord.swift

/// What a line says, written with every field in quotes, says the same again.
///
/// A refusal is a right answer to most inputs, so `try?` loses nothing here.
@_cdecl("LLVMFuzzerTestOneInput")
func readCSVRecord(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let line = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let said = texts(of: line) else { return 0 }
    precondition(!said.isEmpty, "a line has a field")
    let known = said.compactMap { $0 }
    guard known.count == said.count else {
        precondition(String(validating: line, as: UTF8.self) == nil, "the line was not UTF-8")
        return 0
    }
    let quoted = known.map { "\"" + doubled($0.utf8) + "\"" }.joined(separator: ",")
    precondition(texts(of: Array(quoted.utf8)) == said, "each field says the same again")
    return 0
}

/// Nil where it is no record; nil for a field that is no text.
private func texts(of line: [UInt8]) -> [String?]? {
    var record = CSVRecord()
    guard (try? record.split(line.span)) != nil else { return nil }
    return record.fields.map { CSVRecord.text(of: $0, in: line.span) }
}

private func doubled(_ text: String.UTF8View) -> String {
    let quote = UInt8(ascii: "\"")
    return String(decoding: text.flatMap { $0 == quote ? [$0, $0] : [$0] }, as: UTF8.self)
}
