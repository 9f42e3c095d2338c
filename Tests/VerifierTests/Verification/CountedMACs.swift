import Glibc

@testable import Verifier

/// What OpenSSL computed of what costs time and depends on secrets.
struct CountedWork: Equatable {
    var macs = 0
    var derivations = 0
    var agreements = 0
}

/// What `body` has OpenSSL compute, on whichever threads its task runs.
func work(of body: () async throws -> Void) async rethrows -> CountedWork {
    let tally = Tally()
    try await Tally.$current.withValue(tally) { try await body() }
    return tally.work
}

/// How many MACs `body` computes.
func macCount(_ body: () throws -> Void) rethrows -> Int {
    let tally = Tally()
    try Tally.$current.withValue(tally) { try body() }
    return tally.work.macs
}

private final class Tally: Sendable {
    @TaskLocal static var current: Tally?

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var noted = CountedWork()

    var work: CountedWork { lock.locked { noted } }

    func note(_ kind: WritableKeyPath<CountedWork, Int>) {
        lock.locked { noted[keyPath: kind] += 1 }
    }
}

// MARK: OpenSSL's functions of these names

// The program's own symbol goes before that of a shared library, so all of this test program's calls
// pass here, and the product knows nothing of it.

@_cdecl("EVP_MAC_final")
func countedMACFinal(
    _ context: OpaquePointer?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ written: UnsafeMutablePointer<Int>?,
    _ size: Int
) -> CInt {
    Tally.current?.note(\.macs)
    return libraryMACFinal(context, output, written, size)
}

@_cdecl("EVP_KDF_derive")
func countedKDFDerive(
    _ context: OpaquePointer?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ size: Int,
    _ parameters: UnsafeRawPointer?
) -> CInt {
    Tally.current?.note(\.derivations)
    return libraryKDFDerive(context, output, size, parameters)
}

@_cdecl("EVP_PKEY_derive")
func countedKeyDerive(
    _ context: OpaquePointer?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ size: UnsafeMutablePointer<Int>?
) -> CInt {
    Tally.current?.note(\.agreements)
    return libraryKeyDerive(context, output, size)
}

private let libraryMACFinal = libraryFunction(
    "EVP_MAC_final",
    as: (@convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, Int
    ) -> CInt).self
)
private let libraryKDFDerive = libraryFunction(
    "EVP_KDF_derive",
    as: (@convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, Int, UnsafeRawPointer?
    ) -> CInt).self
)
private let libraryKeyDerive = libraryFunction(
    "EVP_PKEY_derive",
    as: (@convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?
    ) -> CInt).self
)

/// The library that everything here needs has a function of this name and type.
private func libraryFunction<Function>(_ name: String, as type: Function.Type) -> Function {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    return unsafeBitCast(dlsym(next, name), to: type)
}
