import Foundation
import PrivateFiles

/// The work of OpenSSL for signatures.
struct SignatureWork: Equatable {
    /// Keys that were read from a point.
    var imports = 0
    var checks = 0
}

/// The work in `body`, on all threads of its task.
func signatureWork(_ body: () async throws -> Void) async rethrows -> SignatureWork {
    let tally = Tally()
    try await Tally.$current.withValue(tally) { try await body() }
    return tally.work
}

private final class Tally: Sendable {
    @TaskLocal static var current: Tally?

    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var noted = SignatureWork()

    var work: SignatureWork { lock.withLock { noted } }

    func note(_ kind: WritableKeyPath<SignatureWork, Int>) {
        lock.withLock { noted[keyPath: kind] += 1 }
    }
}

// Counting wrappers of OpenSSL's functions: the program's own symbols take precedence over those of
// a shared library.

@_cdecl("EVP_DigestVerify")
func countedVerification(
    _ context: OpaquePointer?,
    _ signature: UnsafePointer<UInt8>?,
    _ signatureSize: Int,
    _ message: UnsafePointer<UInt8>?,
    _ messageSize: Int
) -> CInt {
    Tally.current?.note(\.checks)
    return libraryVerification(context, signature, signatureSize, message, messageSize)
}

@_cdecl("EVP_PKEY_dup")
func countedImport(_ key: OpaquePointer?) -> OpaquePointer? {
    Tally.current?.note(\.imports)
    return libraryCopy(key)
}

private typealias Copy = @convention(c) (OpaquePointer?) -> OpaquePointer?

private typealias Verification =
    @convention(c) (
        OpaquePointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int
    ) -> CInt

private let libraryCopy = libraryFunction("EVP_PKEY_dup", as: Copy.self)
private let libraryVerification = libraryFunction("EVP_DigestVerify", as: Verification.self)

/// The library has a function of this name and type.
private func libraryFunction<Function>(_ name: String, as type: Function.Type) -> Function {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    return unsafeBitCast(dlsym(next, name), to: type)
}
