import Cryptography

/// A PIN as the person typed it, in locked memory.
///
/// It belongs to one operation, which uses it up: the person is asked again for the next (SEC-25).
/// Take the bytes from where they were typed, and wipe them there: a `String` cannot be wiped.
public struct PIN: ~Copyable, Sendable {
    /// Room for more than any policy allows: what is too long is told by the policy.
    private static let longest = 64

    let digits: SecureBytes

    public init(copying digits: Span<UInt8>) throws(AuthenticationError) {
        guard digits.count <= Self.longest else { throw AuthenticationError(brokenRule: .tooLong) }
        do throws(CryptographyFailure) {
            self.digits = try SecureBytes(copying: digits)
        } catch {
            throw AuthenticationError(machine: error)
        }
    }

    borrowing func check(by policy: PINPolicy) throws(AuthenticationError) {
        if let rule = digits.withBytes({ policy.brokenRule(by: $0) }) {
            throw AuthenticationError(brokenRule: rule)
        }
    }
}
