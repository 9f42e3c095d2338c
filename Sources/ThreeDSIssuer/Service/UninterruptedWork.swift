/// Runs `body` to its end, even if the caller's task is cancelled.
///
/// A call of the verifier that was cut would count as a failure of the verifier. The body begins on
/// the caller's thread, without a wait for another one.
func untilItsEnd<Outcome: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Outcome
) async throws(Failure) -> Outcome {
    let result = await Task.immediate { () async -> Result<Outcome, Failure> in
        do throws(Failure) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }.value
    return try result.get()
}
