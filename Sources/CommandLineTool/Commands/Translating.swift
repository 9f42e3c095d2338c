/// Runs `body`, and throws the failure that `make` makes of its failure.
package func translating<Outcome: ~Copyable, Failure: Error>(
    _ body: @autoclosure () throws(Failure) -> Outcome,
    to make: (Failure) -> CommandFailure
) throws(CommandFailure) -> Outcome {
    do throws(Failure) {
        return try body()
    } catch {
        throw make(error)
    }
}

/// The same for a call that waits.
package func awaiting<Outcome: ~Copyable, Failure: Error>(
    _ body: @autoclosure () async throws(Failure) -> Outcome,
    to make: (Failure) -> CommandFailure
) async throws(CommandFailure) -> Outcome {
    do throws(Failure) {
        return try await body()
    } catch {
        throw make(error)
    }
}
