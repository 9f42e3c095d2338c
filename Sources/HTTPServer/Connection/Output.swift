/// Bytes that are not sent yet.
struct Output {
    /// The size at which a writer has to wait, and the amount that a client must accept per write
    /// deadline.
    static let limit = 65_536

    private var bytes: [UInt8] = []
    private var sentCount = 0
    /// Since the deadline was set.
    private var takenCount = 0

    var isEmpty: Bool { bytes.isEmpty }

    var isFull: Bool { bytes.count - sentCount > Self.limit }

    var unsent: ArraySlice<UInt8> { bytes[sentCount...] }

    mutating func append(_ new: [UInt8]) {
        if isEmpty {
            bytes = new
        } else {
            removeSent()
            bytes += new
        }
    }

    mutating func appendChunk(_ piece: [UInt8]) {
        removeSent()
        bytes.appendChunk(piece)
    }

    /// The memory is freed after the last byte: most connections are idle.
    mutating func didSend(_ count: Int) {
        sentCount += count
        takenCount += count
        if sentCount == bytes.count { self = Output() }
    }

    /// Returns whether the client accepted enough to extend its deadline.
    mutating func hasEarnedTime() -> Bool {
        guard takenCount >= Self.limit else { return false }
        takenCount = 0
        return true
    }

    private mutating func removeSent() {
        bytes.removeFirst(sentCount)
        sentCount = 0
    }
}
