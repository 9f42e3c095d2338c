import Glibc

@testable import Verifier

/// OpenSSL's function of this name, counted: the program's own symbol goes before that of a shared
/// library, so all MACs of this test program pass here, and the product knows nothing of it.
@_cdecl("EVP_MAC_final")
func countedMACFinal(
    _ context: OpaquePointer?,
    _ output: UnsafeMutablePointer<UInt8>?,
    _ written: UnsafeMutablePointer<Int>?,
    _ size: Int
) -> CInt {
    counter.note()
    return libraryMACFinal(context, output, written, size)
}

/// How many MACs `body` computes on this thread.
func macCount(_ body: () throws -> Void) rethrows -> Int {
    counter.begin()
    do { try body() } catch {
        _ = counter.end()
        throw error
    }
    return counter.end()
}

private let counter = MACCounter()

/// The threads on which somebody counts, and how far.
private final class MACCounter: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var counts: [pthread_t: Int] = [:]

    func begin() { lock.locked { counts[pthread_self()] = 0 } }

    func end() -> Int { lock.locked { counts.removeValue(forKey: pthread_self()) } ?? 0 }

    func note() { lock.locked { counts[pthread_self()]? += 1 } }
}

/// A store that counts the MACs that are computed while somebody writes.
struct CountingDatabase: Database {
    let store: any Database
    private let total = Total()

    init(store: any Database) {
        self.store = store
    }

    var macCount: Int { total.count }

    func write<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let total = total
        return try await store.write { connection throws(StoreFailure) in
            var result = Result<Outcome, StoreFailure>.failure(.unavailable)
            let count = VerifierTests.macCount {
                result = Result { () throws(StoreFailure) in try work(connection) }
            }
            total.add(count)
            return try result.get()
        }
    }

    func read<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(work)
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
    // The library that everything here needs has it, with this type.
    return unsafeBitCast(dlsym(next, "EVP_MAC_final"), to: MACFinal.self)
}()
