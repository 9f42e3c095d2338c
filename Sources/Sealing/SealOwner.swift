/// The owner of a sealed value; moved to another owner, the value does not open.
///
/// The bytes name the kind of secret and its owner, so that no two owners have the same bytes.
package struct SealOwner: Equatable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
