import COpenSSL
import Glibc

@testable import PrivateFiles
@testable import Sealing
@testable import Storage
@testable import Verification

/// Counts the calls of OpenSSL's function of this name: the program's symbol is found before the
/// shared library's.
///
/// The product is unchanged.
@_cdecl("EVP_MAC_final")
func countedMACFinal(
    _ context: OpaquePointer?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ written: UnsafeMutablePointer<Int>?,
    _ size: Int
) -> CInt {
    if CRYPTO_secure_allocated(output) == 1 {
        // A derived key is the only MAC in secure memory.
        if !RunningDerivations.all.isOnThisThread { noteDerivation() }
    } else if size != 64 {
        // Only the tags of rows are MACs of this size, and no guess of a code needs one.
        ThreadCounter.macs.note()
    }
    return libraryMACFinal(context, output, written, size)
}

/// The number of MACs that `body` computes on this thread.
func macCount(_ body: () throws -> Void) rethrows -> Int {
    try ThreadCounter.macs.count(body)
}

/// The threads that count, and their counts.
final class ThreadCounter: Sendable {
    static let macs = ThreadCounter()
    /// Of derived keys and of sealed or opened secrets.
    static let sealings = ThreadCounter()

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var counts: [pthread_t: Int] = [:]

    func count(_ body: () throws -> Void) rethrows -> Int {
        lock.locked { counts[pthread_self()] = 0 }
        do { try body() } catch {
            _ = end()
            throw error
        }
        return end()
    }

    private func end() -> Int { lock.locked { counts.removeValue(forKey: pthread_self()) } ?? 0 }

    func note() { lock.locked { counts[pthread_self()]? += 1 } }
}

/// A store that counts cryptographic work during its writes.
struct CountingDatabase: Database {
    let store: any Database
    private let macs = Total()
    private let sealings = Total()

    init(store: any Database) {
        self.store = store
    }

    var macCount: Int { macs.count }
    var sealingCount: Int { sealings.count }

    func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let (macs, sealings) = (macs, sealings)
        return try await store.write(reading: queries) { connection throws(StoreFailure) in
            var result = Result<Outcome, StoreFailure>.failure(.unavailable)
            let sealingCount = ThreadCounter.sealings.count {
                let count = VerificationTests.macCount {
                    result = Result { () throws(StoreFailure) in try work(connection) }
                }
                macs.add(count)
            }
            sealings.add(sealingCount)
            return try result.get()
        }
    }

    func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(reading: queries, work)
    }

    func close() async { await store.close() }

    private final class Total: Sendable {
        private let lock = Lock()
        // Only touched while `lock` is held.
        private nonisolated(unsafe) var value = 0

        var count: Int { lock.locked { value } }

        func add(_ count: Int) { lock.locked { value += count } }
    }
}

private typealias MACFinal =
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, Int
    ) -> CInt

private let libraryMACFinal: MACFinal = {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    // libcrypto, which this program needs anyway, has it with this type.
    return unsafeBitCast(dlsym(next, "EVP_MAC_final"), to: MACFinal.self)
}()
