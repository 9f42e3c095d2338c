/// One SQL statement of the program's own text, the same for every engine.
///
/// Parameters are `$1`, `$2` and so on, each of them used, in any order. A connection prepares a
/// statement once and knows it again by the address of its text: keep it in a `static let`.
package struct Statement: Sendable {
    package let text: StaticString

    package init(_ text: StaticString) {
        precondition(text.hasPointerRepresentation)
        self.text = text
    }
}
