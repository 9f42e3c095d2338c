import Storage
import StrictJSON
import ThreeDSProtocol

extension Message {
    /// The bytes of a message of this ACS.
    func bytes() throws(StoreFailure) -> [UInt8] {
        do throws(StrictJSON.Unwritable) {
            return try written()
        } catch {
            // Its texts were checked when they came.
            throw .misuse
        }
    }
}
