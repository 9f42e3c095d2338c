import COpenSSL
import Glibc

/// Converts all return codes of OpenSSL to Swift errors.
enum OpenSSL {
    /// Accepts only 1, OpenSSL's code for success: 0, −1 and −2 are failures.
    @inline(__always)
    static func check(
        _ result: Int32,
        _ operation: StaticString
    ) throws(CryptographyFailure) {
        guard result == 1 else { throw failure(operation) }
    }

    /// Accepts a result that equals the expected value, such as a count of bytes.
    static func check(
        _ isAsExpected: Bool,
        _ operation: StaticString
    ) throws(CryptographyFailure) {
        guard isAsExpected else { throw failure(operation) }
    }

    /// Accepts a pointer that is not null.
    @inline(__always)
    static func check<Pointer>(
        _ pointer: Pointer?,
        _ operation: StaticString
    ) throws(CryptographyFailure) -> Pointer {
        guard let pointer else { throw failure(operation) }
        return pointer
    }

    /// A length for calls that take an `int`.
    static func length(_ count: Int) throws(CryptographyFailure) -> Int32 {
        guard let length = Int32(exactly: count) else { throw .invalidArgument }
        return length
    }

    /// Empties the thread's error queue, so that no later call reads this error.
    ///
    /// Only the numeric code is kept: OpenSSL's error data can quote input.
    private static func failure(_ operation: StaticString) -> CryptographyFailure {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return .library(operation: operation.description, code: UInt(code))
    }

    /// Whether the last reader of PEM failed because no further text of its kind follows.
    static var isAtEndOfPEM: Bool {
        let error = ERR_peek_last_error()
        return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE
    }

    /// Nil if the last call failed because of its input.
    static func lackOfMemory(_ operation: StaticString) -> CryptographyFailure? {
        guard ERR_GET_REASON(ERR_peek_last_error()) == ERR_R_MALLOC_FAILURE else { return nil }
        return failure(operation)
    }

    /// Fetches an algorithm once for the life of the process.
    static func fetch(
        _ operation: StaticString,
        _ fetch: () -> OpaquePointer?
    ) -> Fetched {
        do throws(CryptographyFailure) {
            return Fetched(algorithm: .success(try check(fetch(), operation)))
        } catch {
            return Fetched(algorithm: .failure(error))
        }
    }

    /// An algorithm of OpenSSL, or the reason why it is missing.
    ///
    /// `@unchecked`: OpenSSL never changes a fetched algorithm, and every thread may use it.
    struct Fetched: @unchecked Sendable {
        fileprivate let algorithm: Result<OpaquePointer, CryptographyFailure>

        @inline(__always)
        func get() throws(CryptographyFailure) -> OpaquePointer { try algorithm.get() }
    }

    /// Removes errors from the queue that a failure of this module already reports.
    static func forgetErrors() {
        ERR_clear_error()
    }
}

extension Span<UInt8> {
    package var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }

    /// The index of the first such byte, searched by the C library.
    package func firstIndex(of byte: UInt8) -> Int? {
        withCBytes { start, count in
            memchr(start, Int32(byte), count).map { UnsafeRawPointer($0) - UnsafeRawPointer(start) }
        }
    }

    /// Passes the bytes to C with a pointer that is never null: null means "not given" in OpenSSL.
    @inline(__always)
    func withCBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<UInt8>, Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { buffer throws(Failure) in
            guard let start = buffer.baseAddress else {
                var nothing: UInt8 = 0
                return try body(&nothing, 0)
            }
            return try body(start, buffer.count)
        }
    }
}
