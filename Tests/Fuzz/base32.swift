@testable import Cryptography

/// Accepted text is written unchanged, except for case and padding.
///
/// Most inputs are correctly rejected, so `try?` loses nothing.
@_cdecl("LLVMFuzzerTestOneInput")
func readBase32(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    let secret = try? TextEncoding.base32.decode(secret: input.span)
    guard let text = String(validating: input, as: UTF8.self) else {
        precondition(secret == nil, "base32 is ASCII")
        return 0
    }
    let read = try? TextEncoding.base32.decode(text)
    precondition((read == nil) == (secret == nil), "a secret is read as strictly as other bytes")
    if let read {
        let written = TextEncoding.base32.encode(read.span)
        precondition(body(of: written) == body(of: text.uppercased()), "one spelling for all bytes")
    }
    return 0
}

private func body(of text: String) -> Substring {
    text.prefix { $0 != "=" }
}
