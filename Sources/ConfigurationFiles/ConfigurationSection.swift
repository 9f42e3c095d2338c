import StrictJSON

/// An object of the configuration, read by the table: an unknown member, a wrong type or a number
/// outside its limits is rejected.
package struct ConfigurationSection {
    private let path: String
    private let table: [ConfigurationMember]
    private let values: [String: JSONValue]
    /// The folder where relative paths start, with its slash.
    private let folder: String

    init(
        _ value: JSONValue,
        table: [ConfigurationMember],
        path: String = "",
        folder: String
    ) throws(ConfigurationFailure) {
        guard case .object(let members) = value else {
            throw ConfigurationFailure(
                path.isEmpty
                    ? "the file must contain a JSON object" : "the member \(path) must be an object"
            )
        }
        let prefix = path.isEmpty ? "" : path + "."
        // Swift's `==` also accepts other spellings: "K" is equal to the sign of the unit kelvin.
        for member in members where !table.contains(where: { $0.name.hasBytes(of: member.name) }) {
            throw ConfigurationFailure("unknown member \(prefix)\(member.name)")
        }
        self.path = path
        self.table = table
        self.folder = folder
        // The JSON reader has rejected repeated names.
        values = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
    }

    /// `server.origin`.
    package func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// A failure of a member: `reason` completes the sentence "the member server.origin …".
    package func failure(_ name: String, _ reason: String) -> ConfigurationFailure {
        ConfigurationFailure("the member \(path(of: name)) \(reason)")
    }

    // MARK: Values

    package func text(_ name: String) throws(ConfigurationFailure) -> String {
        try required(try optionalText(name), name)
    }

    package func optionalText(_ name: String) throws(ConfigurationFailure) -> String? {
        guard let value = values[name] else { return nil }
        guard case .string(let text) = value else { throw failure(name, "must be a string") }
        guard !text.isEmpty else { throw failure(name, "is empty") }
        return text
    }

    package func word<Word: RawRepresentable<String>>(
        _ name: String,
        _ type: Word.Type = Word.self
    ) throws(ConfigurationFailure) -> Word? {
        guard let text = try optionalText(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            guard case .word(let words) = member(name).kind else {
                throw failure(name, "is unknown")
            }
            throw failure(name, "must be one of \(words.joined(separator: ", "))")
        }
        return word
    }

    package func required<Word: RawRepresentable<String>>(
        word name: String
    ) throws(ConfigurationFailure) -> Word {
        try required(try word(name), name)
    }

    package func file(_ name: String) throws(ConfigurationFailure) -> String {
        resolved(try text(name))
    }

    package func optionalFile(_ name: String) throws(ConfigurationFailure) -> String? {
        try optionalText(name).map(resolved)
    }

    package func optionalTexts(_ name: String) throws(ConfigurationFailure) -> [String]? {
        values[name] == nil ? nil : try texts(name)
    }

    package func texts(_ name: String) throws(ConfigurationFailure) -> [String] {
        guard case .array(let elements) = try required(values[name], name) else {
            throw failure(name, "must be an array of strings")
        }
        return try elements.map { element throws(ConfigurationFailure) in
            guard case .string(let text) = element else {
                throw failure(name, "must be an array of strings")
            }
            guard !text.isEmpty else { throw failure(name, "contains an empty string") }
            return text
        }
    }

    package func files(_ name: String) throws(ConfigurationFailure) -> [String] {
        try texts(name).map(resolved)
    }

    /// The number in the file, or the default of the table.
    package func number(_ name: String) throws(ConfigurationFailure) -> Int {
        if let number = try optionalNumber(name) { return number }
        return try required(member(name).fallback.flatMap { Int($0) }, name)
    }

    package func optionalNumber(_ name: String) throws(ConfigurationFailure) -> Int? {
        guard let value = values[name] else { return nil }
        guard case .number(let written) = value, let number = written.integer(Int.self) else {
            throw failure(name, "must be a whole number")
        }
        if case .number(let limits) = member(name).kind, !limits.contains(number) {
            throw failure(name, "must be between \(limits.lowerBound) and \(limits.upperBound)")
        }
        return number
    }

    /// The value in the file, or the default of the table.
    package func boolean(_ name: String) throws(ConfigurationFailure) -> Bool {
        guard let value = values[name] else { return member(name).fallback == "true" }
        guard case .boolean(let boolean) = value else {
            throw failure(name, "must be true or false")
        }
        return boolean
    }

    // MARK: Sections

    package func section(_ name: String) throws(ConfigurationFailure) -> ConfigurationSection {
        try required(try optionalSection(name), name)
    }

    package func optionalSection(
        _ name: String
    ) throws(ConfigurationFailure) -> ConfigurationSection? {
        guard let value = values[name] else { return nil }
        return try inner(value, name)
    }

    package func sections(_ name: String) throws(ConfigurationFailure) -> [ConfigurationSection] {
        guard let value = values[name] else { return [] }
        guard case .array(let elements) = value else { throw failure(name, "must be an array") }
        return try elements.map { element throws(ConfigurationFailure) in try inner(element, name) }
    }

    private func inner(
        _ value: JSONValue,
        _ name: String
    ) throws(ConfigurationFailure) -> ConfigurationSection {
        try ConfigurationSection(
            value,
            table: member(name).members,
            path: path(of: name),
            folder: folder
        )
    }

    // MARK: Rules

    private func required<Value>(
        _ value: Value?,
        _ name: String
    ) throws(ConfigurationFailure) -> Value {
        guard let value else { throw failure(name, "is missing") }
        return value
    }

    private func resolved(_ file: String) -> String {
        file.hasPrefix("/") ? file : folder + file
    }

    private func member(_ name: String) -> ConfigurationMember {
        // The names are literals of the parser, so only a bug of ours gets here.
        guard let member = table.first(where: { $0.name == name }) else {
            preconditionFailure("\(path(of: name)) is read, but is not in the table")
        }
        return member
    }
}
