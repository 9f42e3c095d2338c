import StrictJSON

extension Output {
    /// One object on one line, which other programs read.
    package func print(json value: some Encodable) throws(CommandFailure) {
        let line: [UInt8]
        do throws(StrictJSON.Unwritable) {
            line = try StrictJSON.encode(value)
        } catch {
            throw CommandFailure(.internalFailure, "the answer cannot be written as JSON")
        }
        try print(String(decoding: line, as: UTF8.self))
    }
}

extension Flag {
    package static let json = Flag("json", help: "Print JSON.")
}
