import StrictJSON

extension Output {
    /// Prints one object on one line, for other programs.
    package func print(json value: some Encodable) throws(CommandFailure) {
        let line: [UInt8]
        do throws(StrictJSON.Unwritable) {
            line = try StrictJSON.encode(value)
        } catch {
            throw CommandFailure(.internalFailure, "cannot write the result as JSON")
        }
        try print(String(decoding: line, as: UTF8.self))
    }
}
