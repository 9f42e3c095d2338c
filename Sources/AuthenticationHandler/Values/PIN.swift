import Cryptography

/// A PIN as the person typed it, in locked memory.
///
/// It belongs to one operation, which uses it up: the person is asked again for the next (SEC-25).
/// Take the bytes from where they were typed, and wipe them there: a `String` cannot be wiped.
public struct PIN: ~Copyable, Sendable {
    /// From what some bank may allow to more than any does: what is too long is told by the policy.
    private static let digitCounts = 4...64

    let digits: SecureBytes

    /// What can be nobody's PIN throws `pinPolicy`, and costs no attempt.
    public init(copying digits: Span<UInt8>) throws(AuthenticationError) {
        let isDigits = digits.indices.allSatisfy { "0"..."9" ~= Unicode.Scalar(digits[$0]) }
        let broken: PINPolicy.Rule? =
            switch digits.count {
            case _ where !isDigits: .notDigits
            case ..<Self.digitCounts.lowerBound: .tooShort
            case (Self.digitCounts.upperBound + 1)...: .tooLong
            default: nil
            }
        if let broken { throw AuthenticationError(brokenRule: broken) }
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
