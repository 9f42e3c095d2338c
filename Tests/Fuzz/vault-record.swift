@testable import AuthenticationHandler

/// What is read as a record has one form: the one that was read.
@_cdecl("LLVMFuzzerTestOneInput")
func readAccountRecord(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // A refusal is the right answer to most inputs, so `try?` loses nothing here.
    guard let record = try? AccountRecord(input) else { return 0 }
    precondition(record.bytes == input, "a second form of one record")
    return 0
}
