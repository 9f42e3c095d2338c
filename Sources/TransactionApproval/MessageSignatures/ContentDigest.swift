package import Cryptography

/// The one digest that the profile knows: SHA-256 over the content (RFC 9530, section 2).
package struct ContentDigest: Sendable {
    package let fieldValue: String

    package init(of content: [UInt8]) throws(CryptographyFailure) {
        let digest = try HashAlgorithm.sha256.digest(of: content.span)
        fieldValue = "sha-256=:\(digest.withBytes { TextEncoding.base64.encode($0) }):"
    }
}
