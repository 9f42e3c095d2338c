package import Cryptography
package import OneTimePassword
import TransactionApproval

/// Knows accounts, devices, credentials and transactions, and says yes exactly once.
///
/// Each operation opens the secrets that it needs, and then runs its rule in one transaction of the
/// store: verdict, counter, attempts, audit and outbox are durable before anybody is told.
package struct Verifier: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        case store(StoreFailure)
        case machine(MachineFailure)
        /// A record does not open under the keys that are here: it was moved, or a key is missing.
        case sealedRecord(KeyEncryptionKeys.Failure)
        /// The policy breaks a rule; nothing was changed.
        case policy(EnterprisePolicy.Failure)
    }

    let database: any Database
    let keys: KeyEncryptionKeys
    let policies: PolicyShelf
    /// What devices agree with, in activations and rekeys.
    let agreementKey: P256.PrivateKey
    let clock: VerifierClock

    package init(
        database: any Database,
        keys: KeyEncryptionKeys,
        agreementKey: P256.PrivateKey,
        clock: VerifierClock
    ) {
        self.database = database
        self.keys = keys
        self.agreementKey = agreementKey
        self.clock = clock
        policies = PolicyShelf()
    }
}

extension Verifier {
    func write<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        do throws(StoreFailure) {
            return try await database.write { connection throws(StoreFailure) in
                try work(Ledger(connection))
            }
        } catch {
            throw .store(error)
        }
    }

    func read<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        do throws(StoreFailure) {
            return try await database.read { connection throws(StoreFailure) in
                try work(Ledger(connection))
            }
        } catch {
            throw .store(error)
        }
    }
}

extension Verifier {
    /// Runs what a machine may refuse.
    func onThisMachine<Result: ~Copyable>(
        _ body: () throws(CryptographyFailure) -> Result
    ) throws(Failure) -> Result {
        do throws(CryptographyFailure) {
            return try body()
        } catch {
            throw .machine(MachineFailure(error))
        }
    }

    func onThisMachine<Result: ~Copyable>(
        _ body: () throws(MachineFailure) -> Result
    ) throws(Failure) -> Result {
        do throws(MachineFailure) {
            return try body()
        } catch {
            throw .machine(error)
        }
    }

    /// The moment in 6 bytes and 10 that are random.
    ///
    /// What is pending was made lately, so it lies together in the tables, however many there are.
    func newTransactionID() throws(Failure) -> TransactionID {
        let random = try onThisMachine { () throws(CryptographyFailure) in
            try randomBytes(count: 10)
        }
        let moment = withUnsafeBytes(of: clock.now.milliseconds.bigEndian) { Array($0.suffix(6)) }
        let bytes = moment + random
        return TransactionID(checked: TextEncoding.hexadecimal.encode(bytes.span))
    }
}
