package import Cryptography

/// An unpredictable identifier without any meaning.
package protocol RandomIdentifier: HexadecimalIdentifier {}

extension RandomIdentifier {
    package static func random() throws(CryptographyFailure) -> Self {
        Self(checked: try randomBytes(count: byteCount))
    }
}

/// One activated installation; also the name of its signature key.
package struct DeviceID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

package struct CredentialID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

/// Identifies one try; a repeated try gets the same verdict.
package struct AttemptID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
