@testable import AuthenticationHandler

/// Accepted references have only one form.
@_cdecl("LLVMFuzzerTestOneInput")
func readSeenReferences(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // Most inputs are correctly rejected, so `try?` loses nothing.
    guard let seen = try? SeenReferences(input) else { return 0 }
    precondition(seen.bytes == input, "a second form of the same references")
    return 0
}
