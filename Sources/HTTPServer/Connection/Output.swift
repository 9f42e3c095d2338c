/// Bytes that are not sent yet.
struct Output {
    /// The size at which a writer has to wait, and the amount that a client must accept per write
    /// deadline.
    static let limit = 65_536

    private var bytes: [UInt8] = []
    /// The content after `bytes`.
    ///
    /// Connections that send the same content share its memory.
    private var content: [UInt8] = []
    private var sentCount = 0
    /// Since the deadline was set.
    private var takenCount = 0

    private var byteCount: Int { bytes.count + content.count }

    var isEmpty: Bool { byteCount == 0 }

    var isFull: Bool { byteCount - sentCount > Self.limit }

    /// Bytes that can be sent next, not always all of them.
    var unsent: ArraySlice<UInt8> {
        sentCount < bytes.count ? bytes[sentCount...] : content[(sentCount - bytes.count)...]
    }

    mutating func append(_ new: [UInt8]) {
        if isEmpty {
            bytes = new
        } else {
            removeSent()
            bytes += new
        }
    }

    /// Copies only short content, so that most responses are sent with one call.
    mutating func append(_ head: [UInt8], followedBy content: [UInt8]) {
        guard content.count > Self.maximumCopy else { return append(head + content) }
        append(head)
        self.content = content
    }

    /// The content of one TLS record.
    private static let maximumCopy = 16_384

    mutating func appendChunk(_ piece: [UInt8]) {
        removeSent()
        bytes.appendChunk(piece)
    }

    /// The memory is freed after the last byte: most connections are idle.
    mutating func didSend(_ count: Int) {
        sentCount += count
        takenCount += count
        if sentCount == byteCount { self = Output() }
    }

    /// Returns whether the client accepted enough to extend its deadline.
    mutating func hasEarnedTime() -> Bool {
        guard takenCount >= Self.limit else { return false }
        takenCount = 0
        return true
    }

    private mutating func removeSent() {
        bytes += content
        content = []
        bytes.removeFirst(sentCount)
        sentCount = 0
    }
}
