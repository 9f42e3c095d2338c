import OneTimePassword
import OneTimePasswordFormats

/// An accepted URI has the same values when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
func readOTPAuthURI(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    // Most inputs are correctly rejected, so `try?` loses nothing.
    if let text = String(validating: input, as: UTF8.self), let uri = try? OTPAuthURI(text) {
        precondition((try? OTPAuthURI(uri.text)) == uri, "the written form has other values")
    }
    return 0
}
