import CommandLineTool
import VerifierServer

extension Installation {
    /// Prevents all verifiers and all commands that change the store.
    func exclusiveUse() throws(CommandFailure) -> InstallationUse {
        let key = configuration.keys.checkpoint
        guard let use = try onConfiguration(try InstallationUse(aloneWithKeyFile: key)) else {
            throw CommandFailure(
                .tryLater,
                "a verifier or another command uses the store",
                hint: "stop all verifiers of this store, put the backup back again, and repeat"
            )
        }
        return use
    }
}
