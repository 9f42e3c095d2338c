import TransactionApproval

/// Canonical bytes, split into fields that a test can change.
struct CanonicalFields {
    static let opening = Array("CSTX".utf8) + [1]

    var fields: [(tag: UInt8, value: [UInt8])] = []

    init(_ bytes: [UInt8]) {
        var remaining = bytes.dropFirst(Self.opening.count)
        while let tag = remaining.popFirst() {
            let count = remaining.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            fields.append((tag, Array(remaining.dropFirst(4).prefix(count))))
            remaining = remaining.dropFirst(4 + count)
        }
    }

    var bytes: [UInt8] {
        fields.reduce(into: Self.opening) { bytes, field in
            bytes += [field.tag] + Self.length(field.value.count) + field.value
        }
    }

    func replacing(_ field: Transaction.Field, by value: [UInt8]) -> [UInt8] {
        var changed = self
        changed.fields[Int(field.rawValue) - 1].value = value
        return changed.bytes
    }

    static func length(_ count: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    }
}
