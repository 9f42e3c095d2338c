import CommandLineTool
import PrivateFiles
import Sealing
import Storage
import Verification

// Each function translates the failures of one part of the installation.

extension Installation {
    func onStore<Outcome>(
        _ body: () async throws(StoreFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        do throws(StoreFailure) {
            return try await body()
        } catch {
            throw CommandFailure(error, of: storePart)
        }
    }

    func onJournalFile<Outcome>(
        _ body: () throws(JournalFailure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        do throws(JournalFailure) {
            return try body()
        } catch {
            throw CommandFailure(error, of: configuration)
        }
    }

    func onJournal<Outcome>(
        _ body: () async throws(JournalFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        do throws(JournalFailure) {
            return try await body()
        } catch {
            throw CommandFailure(error, of: configuration)
        }
    }

    func onVerifier<Outcome: ~Copyable>(
        _ body: () async throws(Verifier.Failure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        do throws(Verifier.Failure) {
            return try await body()
        } catch {
            throw CommandFailure(error, of: configuration)
        }
    }

    func onKeyFile<Outcome: ~Copyable>(
        _ path: String,
        _ body: () throws(KeyFile.Failure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        do throws(KeyFile.Failure) {
            return try body()
        } catch {
            throw CommandFailure(error, ofFileAt: path)
        }
    }
}

/// Translates the failures of a file that a command creates.
func onNewFile<Outcome>(
    _ path: String,
    _ body: () throws(FileFailure) -> Outcome
) throws(CommandFailure) -> Outcome {
    do throws(FileFailure) {
        return try body()
    } catch {
        throw CommandFailure(error, of: .newFile(path))
    }
}
