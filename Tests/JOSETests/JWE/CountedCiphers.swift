import Glibc
import TestSupport

/// A counting wrapper of OpenSSL's function: the program's own symbol takes precedence over a
/// shared library's.
@_cdecl("EVP_CipherInit_ex2")
func countedCipher(
    _ context: OpaquePointer?,
    _ algorithm: OpaquePointer?,
    _ key: UnsafePointer<UInt8>?,
    _ nonce: UnsafePointer<UInt8>?,
    _ direction: CInt,
    _ parameters: UnsafeRawPointer?
) -> CInt {
    CallTally.note(.cipher)
    return libraryCipher(context, algorithm, key, nonce, direction, parameters)
}

private typealias Cipher =
    @convention(c) (
        OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, CInt,
        UnsafeRawPointer?
    ) -> CInt

private let libraryCipher: Cipher = {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    // The library has this function, with this type.
    return unsafeBitCast(dlsym(next, "EVP_CipherInit_ex2"), to: Cipher.self)
}()
