package import Cryptography

/// The keys that a device trusts: the current one and, after its announcement, the next one.
package struct ServerKeys: Sendable {
    private let keys: [ServerKeyID: P256.PublicKey]

    package init(
        current: P256.PublicKey,
        next: P256.PublicKey? = nil
    ) throws(CryptographyFailure) {
        var keys = [try ServerKeyID(of: current): current]
        if let next { keys[try ServerKeyID(of: next)] = next }
        self.keys = keys
    }

    subscript(id: ServerKeyID) -> P256.PublicKey? { keys[id] }
}
