import Glibc

@testable import PrivateFiles
@testable import Sealing
@testable import Verification

/// The expensive operations that OpenSSL computed.
struct CountedWork: Equatable {
    var agreements = 0
    var derivations = 0
    /// Secrets that were sealed or opened.
    var sealings = 0
}

/// The operations that `body` computes, on all threads of its task.
func work(of body: () async throws -> Void) async rethrows -> CountedWork {
    let tally = Tally()
    try await Tally.$current.withValue(tally) { try await body() }
    return tally.work
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

// MARK: OpenSSL's functions, interposed as in CountedMACs.swift

@_cdecl("EVP_PKEY_derive")
func countedAgreement(
    _ context: OpaquePointer?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ size: UnsafeMutablePointer<Int>?
) -> CInt {
    Tally.current?.note(\.agreements)
    return libraryAgreement(context, output, size)
}

@_cdecl("EVP_KDF_derive")
func countedDerivation(
    _ context: OpaquePointer?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ size: Int,
    _ parameters: UnsafeRawPointer?
) -> CInt {
    noteDerivation()
    return RunningDerivations.all.run { libraryDerivation(context, output, size, parameters) }
}

func noteDerivation() {
    Tally.current?.note(\.derivations)
    ThreadCounter.sealings.note()
}

/// The threads within a derivation, which computes MACs of its own.
final class RunningDerivations: Sendable {
    static let all = RunningDerivations()

    private let threads = LockedValue<Set<pthread_t>>([])

    var isOnThisThread: Bool { threads.withLock { $0.contains(pthread_self()) } }

    func run(_ derivation: () -> CInt) -> CInt {
        threads.withLock { _ = $0.insert(pthread_self()) }
        defer { threads.withLock { _ = $0.remove(pthread_self()) } }
        return derivation()
    }
}

@_cdecl("EVP_CipherFinal_ex")
func countedSealing(
    _ context: OpaquePointer?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ size: UnsafeMutablePointer<CInt>?
) -> CInt {
    Tally.current?.note(\.sealings)
    ThreadCounter.sealings.note()
    return librarySealing(context, output, size)
}

private typealias Sealing =
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CInt>?
    ) -> CInt

private let librarySealing = libraryFunction("EVP_CipherFinal_ex", as: Sealing.self)

private typealias Agreement =
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?
    ) -> CInt

private typealias Derivation =
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, Int, UnsafeRawPointer?
    ) -> CInt

private let libraryAgreement = libraryFunction("EVP_PKEY_derive", as: Agreement.self)
private let libraryDerivation = libraryFunction("EVP_KDF_derive", as: Derivation.self)

/// libcrypto, which this program needs anyway, has a function of this name and type.
private func libraryFunction<Function>(_ name: String, as type: Function.Type) -> Function {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    return unsafeBitCast(dlsym(next, name), to: type)
}
