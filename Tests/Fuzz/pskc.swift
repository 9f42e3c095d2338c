import OneTimePassword
import OneTimePasswordFormats

/// The key of RFC 6030, figure 6, so that mutations of it pass the MAC.
private let key: [UInt8] = [
    0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x56, 0x78, 0x90, 0x12,
]
private let password = Array("qwerty".utf8)

/// An accepted document has the same values when it is written and read again.
///
/// Most inputs are correctly rejected, so `try?` loses nothing.
@_cdecl("LLVMFuzzerTestOneInput")
func readPSKC(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count).span
    guard
        let key = try? SecretBytes(copying: key.span),
        let password = try? SecretBytes(copying: password.span)
    else { preconditionFailure("no locked memory to fuzz with") }
    for unlock: PSKCDocument.Unlock in [.nothing, .preSharedKey(key), .password(password)] {
        guard let document = try? PSKCDocument(reading: input, unlockedBy: unlock) else { continue }
        for key in document.keys { _ = try? ImportedKey(key) }
        guard let written = try? document.serialized(protection: .nothing) else { continue }
        let read = try? PSKCDocument(reading: written.span)
        precondition(read == document, "the written form has other values")
    }
    return 0
}
