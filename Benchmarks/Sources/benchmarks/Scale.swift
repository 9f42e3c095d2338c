/// How much work a run of the benchmarks does.
enum Scale {
    /// As many repetitions as a comparable ratio needs.
    case full
    /// Every benchmark once with the smallest input: shows that it still works, measures nothing.
    case smallest

    func callAsFunction(_ full: Int, smallest: Int = 1) -> Int {
        self == .full ? full : min(full, smallest)
    }
}
