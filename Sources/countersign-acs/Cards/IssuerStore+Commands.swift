import ServerOperation
import Storage
import ThreeDSIssuer
import Transactions

extension IssuerStore {
    /// For changes of cards by a command.
    func register(_ connection: any SQLConnection) -> CardRegister {
        register(connection, by: .command, at: .ofWallClock)
    }
}
