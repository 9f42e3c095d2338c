package import Cryptography

/// SHA-256 of the content (RFC 9530, section 2); the profile allows no other digest.
package struct ContentDigest: Sendable {
    package let fieldValue: String

    package init(of content: [UInt8]) throws(CryptographyFailure) {
        let digest = try HashAlgorithm.sha256.digest(of: content.span)
        fieldValue = "sha-256=:\(digest.withBytes { TextEncoding.base64.encode($0) }):"
    }
}
