import CommandLineTool
import VerifierServer

extension Installation {
    /// Keeps a restore out for as long as the value lives.
    func inUse() throws(CommandFailure) -> InstallationUse {
        try onServer { () throws(VerifierServer.Failure) in
            try InstallationUse(keyFile: configuration.checkpointKey)
        }
    }

    /// Keeps every verifier and every command that changes the store out.
    func alone() throws(CommandFailure) -> InstallationUse {
        let use = try onServer { () throws(VerifierServer.Failure) in
            try InstallationUse(aloneWithKeyFile: configuration.checkpointKey)
        }
        guard let use else {
            throw CommandFailure(
                .tryLater,
                "a verifier is running, or a command that changes the store",
                hint: "stop every verifier of this store, and restore the backup again"
            )
        }
        return use
    }

    func onServer<Outcome>(
        _ body: () throws(VerifierServer.Failure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        do throws(VerifierServer.Failure) {
            return try body()
        } catch {
            throw CommandFailure(error, of: configuration)
        }
    }
}
