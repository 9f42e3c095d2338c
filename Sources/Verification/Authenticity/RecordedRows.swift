/// The authentic rows of a transaction, by their names.
struct RecordedRows: Sendable {
    private typealias Entry = (name: RowName, row: KnownRow)

    /// Nearly every transaction has so few, and a search of them takes less time than a dictionary.
    private var few: [Entry] = []
    private var others: [RowName: KnownRow] = [:]

    private static let maximumFew = 16

    init() {
        few.reserveCapacity(Self.maximumFew / 2)
    }

    subscript(name: RowName) -> KnownRow? {
        get { index(of: name).map { few[$0].row } ?? others[name] }
        set {
            if let index = index(of: name) {
                if let newValue { few[index].row = newValue } else { few.remove(at: index) }
            } else if let newValue, few.count < Self.maximumFew, others[name] == nil {
                few.append((name, newValue))
            } else {
                others[name] = newValue
            }
        }
    }

    private func index(of name: RowName) -> Int? { few.firstIndex { $0.name == name } }
}
