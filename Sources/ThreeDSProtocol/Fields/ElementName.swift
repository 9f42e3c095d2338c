/// The name of an element, compared by its bytes.
///
/// Swift's `==` for strings would accept a Kelvin sign for a K.
struct ElementName: Hashable {
    let text: String

    static func == (left: ElementName, right: ElementName) -> Bool {
        // Text that is equal in Swift to a name in ASCII has more bytes than it, or the same bytes.
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
    }

    /// A sum is enough: only names of the table are stored, so a sender cannot cause collisions.
    func hash(into hasher: inout Hasher) {
        let bytes = text.utf8.span
        var sum: UInt = 0
        for index in bytes.indices { sum = sum &* 31 &+ UInt(bytes[index]) }
        hasher.combine(sum)
    }
}
