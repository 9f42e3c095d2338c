import COpenSSL

extension [UInt8] {
    /// Content in ordinary memory that `decrypt` writes; it returns how many bytes it wrote.
    ///
    /// If it fails, the buffer is wiped, so no byte is left that was not authenticated.
    init(
        capacity: Int,
        decryptedBy decrypt: (UnsafeMutablePointer<UInt8>) throws(CryptographyFailure) -> Int
    ) throws(CryptographyFailure) {
        // An empty array could have no address.
        self.init(repeating: 0, count: Swift.max(capacity, 1))
        let written = try withUnsafeMutableBufferPointer {
            buffer throws(CryptographyFailure) in
            // swift-format-ignore: NeverForceUnwrap
            let start = buffer.baseAddress!
            do throws(CryptographyFailure) {
                return try decrypt(start)
            } catch {
                OPENSSL_cleanse(start, buffer.count)
                throw error
            }
        }
        removeLast(count - written)
    }
}
