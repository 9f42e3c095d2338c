extension FieldReader {
    package mutating func identifier<Identifier: RandomIdentifier>(
        _ type: Identifier.Type = Identifier.self
    ) throws(Failure) -> Identifier {
        Identifier(checked: try bytes(Identifier.byteCount))
    }
}

extension FieldWriter {
    /// Without a length, which is constant.
    package mutating func append(_ identifier: some RandomIdentifier) {
        append(raw: identifier.bytes)
    }
}
