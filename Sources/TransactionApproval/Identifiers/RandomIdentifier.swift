package import Cryptography

/// A name by chance: nobody guesses another one, and none says anything about what it names.
package protocol RandomIdentifier: HexadecimalIdentifier {}

extension RandomIdentifier {
    package static func random() throws(CryptographyFailure) -> Self {
        Self(checked: try randomBytes(count: byteCount))
    }
}

/// One activated installation, which is also the name of the key that it signs with.
package struct DeviceID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

package struct CredentialID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

/// One try at a decision: asked for again under the same id, it gets the same verdict.
package struct AttemptID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
