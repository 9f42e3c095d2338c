/// The number of times that a credential was rekeyed.
package struct Generation: Hashable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }

    package static let first = Generation(0)

    /// Nil after the last one.
    package var next: Generation? { value == .max ? nil : Generation(value + 1) }
}

/// The number of times that the verifier was restored from a backup.
package struct Epoch: Hashable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }

    package static let first = Epoch(0)
}

extension FieldWriter {
    package mutating func append(_ generation: Generation) { append(generation.value) }

    package mutating func append(_ epoch: Epoch) { append(epoch.value) }
}
