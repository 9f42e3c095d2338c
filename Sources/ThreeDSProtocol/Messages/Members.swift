import StrictJSON

extension [JSONValue.Member] {
    /// The first member with exactly this name.
    ///
    /// Swift's `==` would also accept a Kelvin sign for a K, which has more bytes.
    func value(of name: some StringProtocol) -> JSONValue? {
        first { $0.name.utf8.count == name.utf8.count && $0.name == name }?.value
    }

    func text(of name: String) -> String? { value(of: name)?.text }
}
