import OneTimePassword

/// What is read says the same once it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
func readOTPAuthURI(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    // A refusal is the right answer to most inputs, so `try?` loses nothing here.
    if let text = String(validating: input, as: UTF8.self), let uri = try? OTPAuthURI(text) {
        precondition((try? OTPAuthURI(uri.text)) == uri, "what is written says something else")
    }
    return 0
}
