import CommandLineTool
import Sealing
import VerifierServer

extension Installation {
    /// Prevents a restore during the lifetime of the value.
    func sharedUse() throws(CommandFailure) -> InstallationUse {
        try onServer { () throws(VerifierServer.Failure) in
            try InstallationUse(keyFile: configuration.checkpointKey)
        }
    }

    /// Prevents all verifiers and all commands that change the store.
    func exclusiveUse() throws(CommandFailure) -> InstallationUse {
        let use = try onServer { () throws(VerifierServer.Failure) in
            try InstallationUse(aloneWithKeyFile: configuration.checkpointKey)
        }
        guard let use else {
            throw CommandFailure(
                .tryLater,
                "a verifier or another command uses the store",
                hint: "stop all verifiers of this store, put the backup back again, and repeat"
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
