import CommandLineTool
import StrictJSON

extension Output {
    /// Prints a value on one line, for other programs.
    func print(json value: JSONValue) throws(CommandFailure) {
        let bytes: [UInt8]
        do throws(StrictJSON.Unwritable) {
            bytes = try value.written()
        } catch {
            throw CommandFailure(.internalFailure, "cannot write the result as JSON")
        }
        try write(json: String(decoding: bytes, as: UTF8.self) + "\n")
    }
}
