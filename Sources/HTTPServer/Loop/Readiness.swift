/// The flags of epoll.
struct Readiness: OptionSet {
    let rawValue: UInt32

    static let toRead = Readiness(rawValue: 0x1)
    static let toWrite = Readiness(rawValue: 0x4)
    static let failed = Readiness(rawValue: 0x8)
    static let hungUp = Readiness(rawValue: 0x10)
    /// The peer has closed its sending side.
    static let ended = Readiness(rawValue: 0x2000)
    /// Edge-triggered: one event per change.
    static let onceEach = Readiness(rawValue: 1 << 31)
}
