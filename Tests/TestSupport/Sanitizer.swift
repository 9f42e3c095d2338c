import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// Says that a test which measures or searches memory was not run beside a sanitizer, which has
    /// memory of its own, copies in it included.
    package static var needsPlainMemory: Self {
        .disabled(if: isSanitized, "Not run: a sanitizer has memory of its own.")
    }
}

/// What a sanitizer notes of each address is reserved when a process begins: terabytes.
private let isSanitized: Bool = {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
        return false
    }
    let size = status.split(separator: "\n").first { $0.hasPrefix("VmSize:") }
    return (size?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0) > 1 << 30
}()
