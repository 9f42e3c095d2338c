@testable import AuthenticationHandler

/// An accepted record has only one form.
@_cdecl("LLVMFuzzerTestOneInput")
func readAccountRecord(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // Most inputs are correctly rejected, so `try?` loses nothing.
    guard let record = try? AccountRecord(input) else { return 0 }
    precondition(record.bytes == input, "a second form of one record")
    return 0
}
