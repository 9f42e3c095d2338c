import StrictJSON

/// Finds the place of a name in a list of the field table.
///
/// A sum of the bytes is enough to find it. No name of a sender is stored here, so a sender cannot
/// cause collisions, and needs no keyed hash as in a dictionary.
struct NameIndex: Sendable {
    private let names: [String]
    /// Places in `names`, each in the slot of its sum or after it; nil in a free slot.
    private let slots: [Int?]

    init(_ names: [String]) {
        var count = 4
        // At least half of the slots are free, so each search ends soon.
        while count < 2 * names.count { count *= 2 }
        var slots = [Int?](repeating: nil, count: count)
        for place in names.indices {
            var slot = Self.sum(of: names[place]) & (count - 1)
            while slots[slot] != nil { slot = (slot + 1) & (count - 1) }
            slots[slot] = place
        }
        self.names = names
        self.slots = slots
    }

    subscript(name: String) -> Int? {
        let mask = slots.count - 1
        var slot = Self.sum(of: name) & mask
        while let place = slots[slot] {
            if name.hasBytes(of: names[place]) { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private static func sum(of name: String) -> Int {
        let bytes = name.utf8.span
        var sum = 0
        for index in bytes.indices { sum = (sum &* 31 &+ Int(bytes[index])) & Int(Int32.max) }
        return sum
    }
}
