import StoreTesting
import Testing

extension Trait where Self == EveryStore {
    static var onEveryStore: Self { EveryStore() }

    /// On one of them in `make test`, for rules and not for what a store keeps.
    static var onAnyStore: Self { EveryStore(sampled: true) }
}
