import Synchronization

/// Counts the calls of C functions within a body, on all threads of its task.
///
/// A test target wraps the function; this only counts.
package final class CallTally: Sendable {
    package enum Function: Sendable {
        /// `CRYPTO_memcmp`, which compares in constant time.
        case comparison
        /// The start of an encryption or decryption.
        case cipher
    }

    @TaskLocal private static var current: CallTally?

    private let function: Function
    private let count = Atomic(0)

    private init(_ function: Function) {
        self.function = function
    }

    package static func calls(of function: Function, in body: () throws -> Void) rethrows -> Int {
        let tally = CallTally(function)
        try $current.withValue(tally) { try body() }
        return tally.count.load(ordering: .relaxed)
    }

    package static func note(_ function: Function) {
        guard let current, current.function == function else { return }
        current.count.add(1, ordering: .relaxed)
    }
}
