import Cryptography
import PrivateFiles
public import TransactionApproval

/// A PIN in locked memory.
///
/// One operation consumes it, so the person types it again for the next (SEC-25). Read the digits
/// from the input field as bytes: a `String` cannot be wiped.
public struct PIN: ~Copyable, Sendable {
    /// Wider than the policy of any bank; the policy reports a PIN that is too long.
    private static let digitCounts = 4...64

    let digits: SecureBytes

    /// Copies the digits, and wipes the originals even if it throws.
    ///
    /// A second reference to the array, such as a copy of the variable, keeps the digits.
    /// It throws `pinPolicy` for text that cannot be a PIN, which costs no attempt.
    public init(wiping digits: inout [UInt8]) throws(AuthenticationError) {
        defer { digits.wipe() }
        try self.init(copying: digits.span)
    }

    /// The same for digits in memory that the app wipes itself.
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
        self.digits = try translatingSystemFailure(SecureBytes(copying: digits))
    }

    /// Whether the person typed the same PIN twice; the time does not depend on the digits.
    public borrowing func matches(_ other: borrowing PIN) -> Bool {
        digits.withBytes { own in other.digits.withBytes { equalInConstantTime(own, $0) } }
    }

    /// Throws `pinPolicy` if the policy does not allow this PIN.
    ///
    /// Call it before the person types a new PIN a second time.
    public borrowing func check(against policy: PINPolicy) throws(AuthenticationError) {
        if let rule = digits.withBytes({ policy.brokenRule(by: $0) }) {
            throw AuthenticationError(brokenRule: rule)
        }
    }
}
