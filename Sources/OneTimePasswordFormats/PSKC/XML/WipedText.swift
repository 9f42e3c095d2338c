import Glibc

/// Text that may contain a secret; its old memory is wiped when it grows and when it ends.
///
/// It uses ordinary memory, because a whole document does not fit into the secure heap.
struct WipedText: ~Copyable {
    private var storage = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    private(set) var byteCount = 0

    deinit {
        Self.wipe(storage)
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if storage.count - byteCount < bytes.count { grow(toHold: byteCount + bytes.count) }
        _ = storage[byteCount...].update(fromContentsOf: bytes)
        byteCount += bytes.count
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes.span)
    }

    /// A copy that is not wiped, for public text.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    private var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: storage[..<byteCount])
    }

    private mutating func grow(toHold minimum: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: max(minimum, byteCount * 2)
        )
        _ = larger.update(fromContentsOf: storage[..<byteCount])
        Self.wipe(storage)
        storage = larger
    }

    private static func wipe(_ storage: UnsafeMutableBufferPointer<UInt8>) {
        // An empty text has no memory.
        guard let start = storage.baseAddress else { return }
        explicit_bzero(start, storage.count)
        storage.deallocate()
    }
}
