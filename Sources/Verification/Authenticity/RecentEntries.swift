/// The entries that were used last; the others are forgotten.
///
/// At least half of `maximum` entries are kept. Its memory grows with use only.
struct RecentEntries<Key: Hashable, Value> {
    private let half: Int
    private var recent: [Key: Value] = [:]
    /// Used before the recent ones.
    private var earlier: [Key: Value] = [:]

    init(maximum: Int) {
        half = maximum / 2
    }

    /// Returns the entry for a key, and keeps it longer.
    mutating func use(_ key: Key) -> Value? {
        if let value = recent[key] { return value }
        guard let value = earlier[key] else { return nil }
        keep(value, for: key) { _ in true }
        return value
    }

    /// Keeps `new` for this key, unless the kept one is good.
    mutating func keep(_ new: Value, for key: Key, unless isGood: (Value) -> Bool) {
        if let kept = recent[key], isGood(kept) { return }
        recent[key] = if let kept = earlier[key], isGood(kept) { kept } else { new }
        guard recent.count >= half else { return }
        swap(&recent, &earlier)
        // A dictionary that grows again would make one call wait.
        recent.removeAll(keepingCapacity: true)
    }
}
