/// Runs `body`, and throws the failure that `make` makes of its failure.
package func translating<Outcome: ~Copyable, Lower: Error, Higher: Error>(
    _ body: @autoclosure () throws(Lower) -> Outcome,
    to make: (Lower) -> Higher
) throws(Higher) -> Outcome {
    do throws(Lower) { return try body() } catch { throw make(error) }
}

/// The same for an asynchronous call, which runs on the actor of its caller.
package nonisolated(nonsending) func translatingAsync<
    Outcome: ~Copyable,
    Lower: Error,
    Higher: Error
>(
    _ body: @autoclosure () async throws(Lower) -> Outcome,
    to make: (Lower) -> Higher
) async throws(Higher) -> Outcome {
    do throws(Lower) { return try await body() } catch { throw make(error) }
}
