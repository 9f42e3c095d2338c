/// What can be done with a descriptor, in the numbers of epoll.
struct Readiness: OptionSet {
    let rawValue: UInt32

    static let toRead = Readiness(rawValue: 0x1)
    static let toWrite = Readiness(rawValue: 0x4)
    static let failed = Readiness(rawValue: 0x8)
    static let hungUp = Readiness(rawValue: 0x10)
    /// The other end has sent its last byte.
    static let ended = Readiness(rawValue: 0x2000)
    /// To be told of each change once, instead of each time while it lasts.
    static let onceEach = Readiness(rawValue: 1 << 31)
}
