import Glibc
import TestSupport

/// A counting wrapper of OpenSSL's function: the program's own symbol takes precedence over a
/// shared library's.
@_cdecl("CRYPTO_memcmp")
func countedComparison(
    _ left: UnsafeRawPointer?,
    _ right: UnsafeRawPointer?,
    _ count: Int
) -> CInt {
    CallTally.note(.comparison)
    return libraryComparison(left, right, count)
}

private typealias Comparison = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, Int) -> CInt

private let libraryComparison: Comparison = {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    // The library has this function, with this type.
    return unsafeBitCast(dlsym(next, "CRYPTO_memcmp"), to: Comparison.self)
}()
