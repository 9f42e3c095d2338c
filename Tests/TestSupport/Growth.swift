import Foundation

/// The times of the same work with inputs of 1, 2, 4 and 8 sizes.
///
/// They are times of the processor in this thread, so other tests do not change them.
package struct Growth: CustomStringConvertible {
    private let seconds: [Double]

    package init<Input>(
        from size: Int,
        of input: (Int) throws -> Input,
        _ work: (Input) throws -> Void
    ) rethrows {
        seconds = try [1, 2, 4, 8].map { factor in
            let input = try input(size * factor)
            let start = Self.now
            try work(input)
            return Self.now - start
        }
    }

    /// Whether eight times the input took much less than 64 times as long, as a square would.
    ///
    /// A time of less than 50 milliseconds, or 500 with a sanitizer, is too short to be compared,
    /// and short enough.
    package var isLinear: Bool {
        seconds[3] < max(24 * seconds[0], isSanitized ? 0.5 : 0.05)
    }

    package var description: String {
        seconds.map { "\(Int($0 * 1_000_000)) µs" }.joined(separator: ", ")
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}

/// A letter with two combining marks in turn, of about this many bytes.
///
/// Swift sorts such marks when it compares or hashes a string.
package func combiningMarks(byteCount: Int) -> String {
    "m" + String(repeating: "\u{301}\u{323}", count: byteCount / 4)
}
