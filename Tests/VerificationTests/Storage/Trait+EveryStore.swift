import StoreTesting
import Testing

extension Trait where Self == EveryStore {
    static var onEveryStore: Self { EveryStore() }

    /// On one of them in `make test`: for rules, and not for races, SQL and commits.
    static var onAnyStore: Self { EveryStore(sampled: true) }
}
