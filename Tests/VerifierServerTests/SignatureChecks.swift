import Foundation
import PrivateFiles

/// The number of signature checks of OpenSSL in `body`, on all threads.
func signatureChecks(_ body: () async throws -> Void) async rethrows -> Int {
    let tally = Tally()
    try await Tally.$current.withValue(tally) { try await body() }
    return tally.count
}

private final class Tally: Sendable {
    @TaskLocal static var current: Tally?

    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var noted = 0

    var count: Int { lock.withLock { noted } }

    func note() { lock.withLock { noted += 1 } }
}

/// A counting wrapper of OpenSSL's function: the program's own symbol takes precedence over a
/// shared library's.
@_cdecl("EVP_DigestVerify")
func countedVerification(
    _ context: OpaquePointer?,
    _ signature: UnsafePointer<UInt8>?,
    _ signatureSize: Int,
    _ message: UnsafePointer<UInt8>?,
    _ messageSize: Int
) -> CInt {
    Tally.current?.note()
    return libraryVerification(context, signature, signatureSize, message, messageSize)
}

private typealias Verification =
    @convention(c) (
        OpaquePointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int
    ) -> CInt

private let libraryVerification: Verification = {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    // The library has this function, with this type.
    return unsafeBitCast(dlsym(next, "EVP_DigestVerify"), to: Verification.self)
}()
