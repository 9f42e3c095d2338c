@testable import AuthenticationHandler

/// What is read as references has one form: the one that was read.
@_cdecl("LLVMFuzzerTestOneInput")
func readSeenReferences(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // A refusal is the right answer to most inputs, so `try?` loses nothing here.
    guard let seen = try? SeenReferences(input) else { return 0 }
    precondition(seen.bytes == input, "a second form of the same references")
    return 0
}
