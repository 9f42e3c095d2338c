import FailureTranslation
import StrictJSON

extension Output {
    /// Prints one object on one line, for other programs.
    package func print(json value: some Encodable) throws(CommandFailure) {
        let line = try translating(StrictJSON.encode(value)) { (_: StrictJSON.Unwritable) in
            CommandFailure(
                .internalFailure,
                localized(
                    "cannot write the result as JSON",
                    german: "das Ergebnis lässt sich nicht als JSON schreiben"
                )
            )
        }
        try write(json: String(decoding: line, as: UTF8.self) + "\n")
    }

    /// Writes JSON of any origin, with escapes for the characters that a terminal would obey.
    package func write(json text: String) throws(CommandFailure) {
        try write(visibleJSON(text))
    }

    /// Prints an object with one member for a program, or lines for a person.
    package func print(
        _ name: String,
        _ value: some Encodable,
        inJSON: Bool,
        or lines: @autoclosure () -> [String]
    ) throws(CommandFailure) {
        if inJSON { return try print(json: NamedValue(name, value)) }
        for line in lines() { try print(line) }
    }

    /// Prints JSON for a program, or a table for a person.
    package func print(
        _ value: some Encodable,
        inJSON: Bool,
        or table: @autoclosure () -> Table
    ) throws(CommandFailure) {
        if inJSON { try print(json: value) } else { try print(table()) }
    }
}
