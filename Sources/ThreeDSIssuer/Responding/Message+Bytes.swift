import Storage
import StrictJSON
import ThreeDSProtocol

extension Message {
    /// The bytes of a message of this ACS.
    func bytes() throws(StoreFailure) -> [UInt8] {
        try orMisuse(written())
    }
}

extension JSONValue {
    /// The bytes of a part of a message of this ACS.
    func bytes() throws(StoreFailure) -> [UInt8] {
        try orMisuse(written())
    }
}

/// The texts of a message were checked when they came, and all others are of this ACS.
func orMisuse(
    _ bytes: @autoclosure () throws(StrictJSON.Unwritable) -> [UInt8]
) throws(StoreFailure) -> [UInt8] {
    do throws(StrictJSON.Unwritable) {
        return try bytes()
    } catch {
        throw .misuse
    }
}
