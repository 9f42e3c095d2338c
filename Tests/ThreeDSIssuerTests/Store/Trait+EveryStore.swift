import StoreTesting
import Testing

extension Trait where Self == EveryStore {
    static var onEveryStore: Self { EveryStore() }
}
