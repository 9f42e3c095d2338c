import StrictJSON

extension [JSONValue.Member] {
    /// The first member with exactly this name.
    func value(of name: some StringProtocol) -> JSONValue? {
        first { $0.name.hasTheBytes(of: name) }?.value
    }

    func text(of name: String) -> String? { value(of: name)?.text }
}
