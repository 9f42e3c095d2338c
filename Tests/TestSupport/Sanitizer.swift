import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// Disables a test that measures or searches memory when it runs with a sanitizer, whose own
    /// memory contains copies.
    package static var needsPlainMemory: Self {
        .disabled(if: isSanitized, "Not run: a sanitizer's own memory contains copies.")
    }

    /// Disables a test with a load under which a program with a sanitizer misses a deadline.
    package static var needsFullSpeed: Self {
        .disabled(if: isSanitized, "Not run: a program with a sanitizer is too slow.")
    }

    /// Disables a test of the allocator that wipes memory.
    package static var needsWipingAllocator: Self {
        .disabled(if: isSanitized, "Not run: a sanitizer has its own allocator.")
    }
}

/// A sanitizer reserves terabytes for its records when a process starts.
let isSanitized: Bool = {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
        return false
    }
    let size = status.split(separator: "\n").first { $0.hasPrefix("VmSize:") }
    return (size?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0) > 1 << 30
}()
