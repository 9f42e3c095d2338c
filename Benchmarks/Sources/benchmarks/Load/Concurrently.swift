/// The results in the order of the elements; as many run at the same time as devices in `Load`.
func concurrently<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    _ work: @escaping @Sendable (Element, Int) async throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
        for caller in 0..<Load.connectionCount {
            group.addTask {
                var results: [(Int, Result)] = []
                for place in stride(from: caller, to: elements.count, by: Load.connectionCount) {
                    results.append((place, try await work(elements[place], place)))
                }
                return results
            }
        }
        return try await group.reduce(into: []) { $0 += $1 }
            .sorted { $0.0 < $1.0 }
            .map(\.1)
    }
}
