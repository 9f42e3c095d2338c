package import Cryptography

/// The names of the keys that a verifier announces, in a field that no signature covers.
///
/// A device without one of these keys requests its status, which contains the keys and is signed.
/// So a forged field costs the device one request, and changes nothing.
package struct AnnouncedKeys: Equatable, Sendable {
    private static let fieldName = "countersign-announced-keys"

    package let names: [ServerKeyID]

    /// Nil if there are no keys.
    package init?(of keys: [P256.PublicKey]) throws(CryptographyFailure) {
        guard !keys.isEmpty else { return nil }
        names = try keys.map { key throws(CryptographyFailure) in try ServerKeyID(of: key) }
    }

    /// Nil if the field is missing or malformed.
    init?(in fields: [HTTPField]) {
        // The reason does not matter: `try?`.
        guard let text = try? fields.value(of: Self.fieldName) else { return nil }
        var names: [ServerKeyID] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let name = ServerKeyID(String(name)) else { return nil }
            names.append(name)
        }
        self.names = names
    }

    package var field: HTTPField {
        HTTPField(Self.fieldName, names.map(\.description).joined(separator: ","))
    }
}
