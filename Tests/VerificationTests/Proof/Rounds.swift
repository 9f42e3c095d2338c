import Foundation
import TestSupport

/// Repeats a proof: a few times in every test run, and the promised number of times, with progress,
/// in `make prove`.
struct Rounds: Sequence, IteratorProtocol {
    private let name: String
    private let count: Int
    private var last = 0
    private let start = ContinuousClock.now

    init(_ few: Int, all: Int, of name: String) {
        self.name = name
        count = Proof.isComplete ? all : few
    }

    mutating func next() -> Int? {
        if Proof.isComplete, last % (count / 10) == 0 { report() }
        guard last < count else { return nil }
        last += 1
        return last
    }

    private func report() {
        let seconds = (ContinuousClock.now - start).components.seconds
        let line = "\(name): \(last) of \(count) rounds, \(seconds) s\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
