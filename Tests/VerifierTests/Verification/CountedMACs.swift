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
    defer { counter.end() }
    try body()
    return counter.count
}

private let counter = MACCounter()

private final class MACCounter: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var thread: pthread_t?
    private nonisolated(unsafe) var noted = 0

    var count: Int { lock.locked { noted } }

    func begin() {
        lock.locked {
            precondition(thread == nil, "one test at a time counts")
            (thread, noted) = (pthread_self(), 0)
        }
    }

    func end() { lock.locked { thread = nil } }

    func note() {
        lock.locked {
            if let thread, pthread_equal(thread, pthread_self()) != 0 { noted += 1 }
        }
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
