import COpenSSL

/// The one place where a return code of OpenSSL becomes an answer.
enum OpenSSL {
    /// Accepts what OpenSSL calls success, 1, and nothing else: 0, −1 and −2 all mean failure.
    @inline(__always)
    static func check(
        _ result: Int32,
        _ operation: StaticString
    ) throws(CryptographyFailure) {
        guard result == 1 else { throw failure(operation) }
    }

    /// Accepts a pointer that OpenSSL could make.
    @inline(__always)
    static func check<Pointee>(
        _ pointer: Pointee?,
        _ operation: StaticString
    ) throws(CryptographyFailure) -> Pointee {
        guard let pointer else { throw failure(operation) }
        return pointer
    }

    /// Empties the thread's error queue, so that no later call reads an answer that is not its own.
    ///
    /// Only the numeric code is kept: OpenSSL's error data can quote input.
    static func failure(_ operation: StaticString) -> CryptographyFailure {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return .library(operation: operation, code: UInt(code))
    }
}
