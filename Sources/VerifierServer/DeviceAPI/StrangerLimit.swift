import TransactionApproval
import Verification

/// The rate limit of requests that prove nothing: wrong activation codes, and unknown commits.
///
/// It counts such a request only after the verifier checked it. So a right code is never refused
/// because of wrong ones, even in an office where all devices have one address. A network may send
/// 120 such requests per minute, with bursts of 60. All networks together may send 100 per second,
/// with bursts of 1000. A request above one of the limits gets `rateLimited`, for known and unknown
/// activations alike. Nothing is written.
struct StrangerLimit: Sendable {
    private let ofNetwork = RequestLimit(capacity: 1 << 14)
    private let inTotal = RequestLimit(capacity: 1, interval: .milliseconds(10), burst: 1000)

    /// Returns false above a limit; `network` is nil for the clients of a proxy.
    func allows(_ network: [UInt8]?, at now: Timestamp) -> Bool {
        if let network {
            // A network above its own limit does not use up the limit of all.
            guard ofNetwork.allows(UInt128(network), at: now) else { return false }
        }
        return inTotal.allows(0, at: now)
    }
}

extension UInt128 {
    /// The number of bytes is included: an IPv6 /64 may begin with zeros.
    fileprivate init(_ network: [UInt8]) {
        self = network.reduce(UInt128(network.count)) { $0 << 8 | UInt128($1) }
    }
}
