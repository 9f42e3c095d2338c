import Cryptography
import Glibc
import PrivateFiles
import TransactionApproval

/// The clock, the random numbers and the PIN cost; tests replace them.
struct Dependencies: Sendable {
    var now: @Sendable () -> Timestamp = { systemTime() }
    var randomness = Randomness.system
    /// The cost of one guess for an attacker who has everything except the PIN.
    var pinCost = Argon2id.Cost.constrainedMemory
}

/// The source of random bytes; secret bytes go directly to locked memory.
struct Randomness: Sendable {
    let bytes: @Sendable (Int) throws(CryptographyFailure) -> [UInt8]
    let secret: @Sendable (Int) throws(CryptographyFailure) -> SecureBytes

    static let system = Randomness(
        bytes: { (count: Int) throws(CryptographyFailure) in try randomBytes(count: count) },
        secret: { (count: Int) throws(CryptographyFailure) in try SecureBytes.random(count: count) }
    )
}

/// The time by the clock of this device.
func systemTime() -> Timestamp { .earliest + time(of: CLOCK_REALTIME) }
