import StrictJSON

extension [JSONValue.Member] {
    func text(of name: String) -> String? { value(of: name)?.text }

    /// A text that is short enough to be compared with codes; nil if it is longer.
    ///
    /// Swift compares long texts in a time that can grow with the square of their length.
    func code(of name: String) -> String? {
        text(of: name).flatMap { $0.utf8.count <= 64 ? $0 : nil }
    }
}
