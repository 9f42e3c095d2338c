import StrictJSON

extension [JSONValue.Member] {
    /// The first member with exactly this name.
    ///
    /// Swift's `==` would also accept a Kelvin sign for a K.
    func value(of name: some StringProtocol) -> JSONValue? {
        first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    func text(of name: String) -> String? { value(of: name)?.text }
}
