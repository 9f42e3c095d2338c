@testable import StrictJSON

/// An accepted document has the same values when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
func readStrictJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // Most inputs are correctly rejected, so `try?` loses nothing.
    guard let value = try? JSONValue(reading: input, limits: .message) else { return 0 }
    let written = try? value.written()
    precondition(written != nil, "what is read cannot be written")
    precondition(rewritten(written) == written, "the written form has other values")
    return 0
}

private func rewritten(_ bytes: [UInt8]?) -> [UInt8]? {
    try? bytes.map { try JSONValue(reading: $0, limits: .message).written() }
}
