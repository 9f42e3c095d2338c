import CommandLineTool
import FailureTranslation
import PrivateFiles
import Sealing
import Storage
import Verification
import VerifierServer

// Each function translates the failures of one part of the installation.

extension Installation {
    /// For files and the store, as the configuration names them.
    func onConfiguration<Outcome: ~Copyable>(
        _ body: @autoclosure () throws(VerifierServer.Failure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        try translating(body()) { (failure: VerifierServer.Failure) in
            CommandFailure(failure.cause, of: configuration)
        }
    }

    func onServer<Outcome>(
        _ body: @autoclosure () async throws(VerifierServer.Failure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        try await translatingAsync(await body()) { (failure: VerifierServer.Failure) in
            CommandFailure(failure.cause, of: configuration)
        }
    }

    func onStore<Outcome>(
        _ body: @autoclosure () async throws(StoreFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        try await translatingAsync(await body()) { (failure: StoreFailure) in
            CommandFailure(failure, of: storePlace)
        }
    }

    func onJournalFile<Outcome>(
        _ body: @autoclosure () throws(JournalFailure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        try translating(body()) { (failure: JournalFailure) in
            CommandFailure(failure, of: configuration)
        }
    }

    func onJournal<Outcome>(
        _ body: @autoclosure () async throws(JournalFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        try await translatingAsync(await body()) { (failure: JournalFailure) in
            CommandFailure(failure, of: configuration)
        }
    }

    func onVerifier<Outcome: ~Copyable>(
        _ body: @autoclosure () async throws(Verifier.Failure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        try await translatingAsync(await body()) { (failure: Verifier.Failure) in
            CommandFailure(failure, of: configuration)
        }
    }
}

func onKeyFile<Outcome: ~Copyable>(
    _ path: String,
    _ body: @autoclosure () throws(KeyFile.Failure) -> Outcome
) throws(CommandFailure) -> Outcome {
    try translating(body()) { (failure: KeyFile.Failure) in
        CommandFailure(failure, of: .key(path))
    }
}
