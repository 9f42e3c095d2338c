import Cryptography
import Glibc
import TransactionApproval

/// What a device takes from the world around it; tests hand in their own.
struct Surroundings: Sendable {
    var now: @Sendable () -> Timestamp = { systemTime() }
    var randomness = Randomness.system
    /// What one guess at the PIN costs who has everything else.
    var pinCost = Argon2id.Cost.constrainedMemory
}

/// Where random bytes come from: secret ones go straight to where secrets lie.
struct Randomness: Sendable {
    let bytes: @Sendable (Int) throws(CryptographyFailure) -> [UInt8]
    let secret: @Sendable (Int) throws(CryptographyFailure) -> SecureBytes

    static let system = Randomness(
        bytes: { (count: Int) throws(CryptographyFailure) in try randomBytes(count: count) },
        secret: { (count: Int) throws(CryptographyFailure) in try SecureBytes.random(count: count) }
    )
}

private func systemTime() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .earliest + .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
