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

    /// Accepts an answer that was compared with what it must be, such as a count of bytes written.
    static func check(
        _ isAsExpected: Bool,
        _ operation: StaticString
    ) throws(CryptographyFailure) {
        guard isAsExpected else { throw failure(operation) }
    }

    /// Accepts a pointer that OpenSSL could make.
    @inline(__always)
    static func check<Pointer>(
        _ pointer: Pointer?,
        _ operation: StaticString
    ) throws(CryptographyFailure) -> Pointer {
        guard let pointer else { throw failure(operation) }
        return pointer
    }

    /// A length as the calls take it that know no `size_t`.
    static func length(_ count: Int) throws(CryptographyFailure) -> Int32 {
        guard let length = Int32(exactly: count) else { throw .invalidArgument }
        return length
    }

    /// Empties the thread's error queue, so that no later call reads an answer that is not its own.
    ///
    /// Only the numeric code is kept: OpenSSL's error data can quote input.
    private static func failure(_ operation: StaticString) -> CryptographyFailure {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return .library(operation: operation.description, code: UInt(code))
    }

    /// Fetches an algorithm for the life of the process.
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

    /// An algorithm of OpenSSL's, or why there is none.
    ///
    /// `@unchecked`: OpenSSL never changes a fetched algorithm, and any thread may use it.
    struct Fetched: @unchecked Sendable {
        fileprivate let algorithm: Result<OpaquePointer, CryptographyFailure>

        @inline(__always)
        func get() throws(CryptographyFailure) -> OpaquePointer { try algorithm.get() }
    }

    /// Forgets errors that a refusal of ours, told in our own words, left in the queue.
    static func forgetErrors() {
        ERR_clear_error()
    }
}

extension Span<UInt8> {
    package var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }

    /// Hands the bytes to C; the pointer is never null, which OpenSSL would take for "not given".
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
