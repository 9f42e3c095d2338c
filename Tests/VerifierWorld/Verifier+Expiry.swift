package import Verification

extension Verifier {
    /// The first batch of a new pass; returns the number of closed rows.
    @discardableResult
    package func expire(atMost limit: Int) async throws(Failure) -> Int {
        try await expire(atMost: limit, after: ExpiryPlace()).closed
    }
}
