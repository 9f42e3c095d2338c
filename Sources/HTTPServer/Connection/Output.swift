/// What is to be sent and was not yet.
struct Output {
    /// How much of an answer waits here before whoever writes it has to, and how much a client takes
    /// within one deadline.
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

    /// Memory is given back with the last byte: most connections are idle most of the time.
    mutating func didSend(_ count: Int) {
        sentCount += count
        takenCount += count
        if sentCount == bytes.count { self = Output() }
    }

    /// Whether the client took enough since the last time to be given more time.
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
