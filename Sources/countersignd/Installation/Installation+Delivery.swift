import CommandLineTool
import VerifierServer

extension Installation {
    /// The receivers that the configuration names, with their secrets.
    func addresses() throws(CommandFailure) -> Addresses {
        try onServer { () throws(VerifierServer.Failure) in
            try Addresses(configuration.webhooks.map { .init($0) }, .init(configuration.push))
        }
    }
}
