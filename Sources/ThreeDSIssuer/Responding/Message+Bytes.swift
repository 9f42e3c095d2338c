import Storage
import StrictJSON
import ThreeDSProtocol

extension Message {
    /// The bytes of a message of this ACS.
    func bytes() throws(StoreFailure) -> [UInt8] {
        try orMisuse { () throws(StrictJSON.Unwritable) in try written() }
    }
}

extension JSONValue {
    /// The bytes of a part of a message of this ACS.
    func bytes() throws(StoreFailure) -> [UInt8] {
        try orMisuse { () throws(StrictJSON.Unwritable) in try written() }
    }
}

/// The texts of a message were checked when they came.
private func orMisuse(
    _ write: () throws(StrictJSON.Unwritable) -> [UInt8]
) throws(StoreFailure) -> [UInt8] {
    do throws(StrictJSON.Unwritable) {
        return try write()
    } catch {
        throw .misuse
    }
}
