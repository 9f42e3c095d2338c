import StrictJSON

extension Output {
    /// Prints one object on one line, for other programs.
    package func print(json value: some Encodable) throws(CommandFailure) {
        let line = try translating(try StrictJSON.encode(value)) { (_: StrictJSON.Unwritable) in
            CommandFailure(.internalFailure, "cannot write the result as JSON")
        }
        try print(String(decoding: line, as: UTF8.self))
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
