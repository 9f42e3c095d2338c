import Cryptography
import Storage

extension StoreFailure {
    /// Without a hash or a verdict, the store transaction ends and changes nothing.
    init(system failure: SystemFailure) {
        self = .unavailable
    }
}
