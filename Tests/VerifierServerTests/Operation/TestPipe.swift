import Glibc

/// A pipe whose reader takes what is in it, and never waits.
final class TestPipe {
    let readingEnd: Int32
    let writingEnd: Int32

    struct Failure: Error {}

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else { throw Failure() }
        (readingEnd, writingEnd) = (ends[0], ends[1])
    }

    /// All that is in it now.
    func read() -> String {
        var (bytes, all) = ([UInt8](repeating: 0, count: 65_536), [UInt8]())
        while case let count = Glibc.read(readingEnd, &bytes, bytes.count), count > 0 {
            all += bytes.prefix(count)
        }
        return String(decoding: all, as: UTF8.self)
    }

    deinit {
        close(readingEnd)
        close(writingEnd)
    }
}
