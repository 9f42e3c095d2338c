/// The only curve of this package (NIST P-256, also called secp256r1 and prime256v1).
package enum P256 {
    package static let coordinateByteCount = 32
    /// 0x04, then both coordinates (SEC 1, section 2.3.3): the only supported form.
    package static let uncompressedPointByteCount = 65
    package static let signatureByteCount = 64
}
