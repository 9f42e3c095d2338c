import CommandLineTool
import VerifierServer

extension Installation {
    /// The receivers that the configuration names, with their secrets.
    func addresses() throws(CommandFailure) -> Addresses {
        try onConfiguration(try Addresses(configuration.webhooks, configuration.push))
    }
}
