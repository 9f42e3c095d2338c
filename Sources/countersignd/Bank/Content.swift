import CommandLineTool
import StrictJSON

/// What a question says, as JSON.
func content(_ value: some Encodable) throws(CommandFailure) -> [UInt8] {
    do throws(StrictJSON.Unwritable) {
        return try StrictJSON.encode(value)
    } catch {
        throw CommandFailure(.internalFailure, "the request cannot be written as JSON")
    }
}
