extension String {
    /// Invalid UTF-8 is replaced as Swift does.
    package var withOneBitFlipped: [String] {
        Array(utf8).withOneBitFlipped.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    package var withOneBitFlipped: [[UInt8]] {
        (0..<count * 8).map { bit in
            var changed = self
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            return changed
        }
    }
}

extension Array {
    /// All copies with one element replaced by one of its changes.
    package func withOneChanged(_ changes: (Element) -> [Element]) -> [[Element]] {
        indices.flatMap { index in
            changes(self[index]).map { element in
                var changed = self
                changed[index] = element
                return changed
            }
        }
    }
}
