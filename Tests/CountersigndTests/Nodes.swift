import Cryptography
import Foundation
import OneTimePassword
import ProgramTesting
import Sealing
import Storage
import TestSupport
import TransactionApproval
import Verification

import class VerifierWorld.Phone

/// Two verifiers of one PostgreSQL store, and the bank's customers.
struct Nodes {
    let first: Premises
    let second: Premises
    private let connection: String
    /// A third verifier, in this process, which creates the customers.
    private let verifier: Verifier
    private let store: PostgresDatabase
    private let clock = VerifierClock.system(notBefore: .earliest)

    static let origin = "http://127.0.0.1:8080"

    struct Unexpected: Error {}

    /// On a temporary PostgreSQL server.
    init(on server: PostgresServer? = nil) async throws {
        connection = try (server ?? .shared()).makeDatabase()
        (first, second) = (try Premises(on: connection), try Premises(on: connection))
        try Self.check(first.countersignd("init"))
        try second.copyKeys(from: first)
        try Self.check(second.countersignd("init", "--join"))
        store = try PostgresDatabase(connection, migrations: Schema.migrations)
        verifier = Verifier(
            database: store,
            keys: KeyRing(try first.keys),
            agreementKey: try KeyFile.privateKey(in: .file(first.path("keys/agreement"))),
            journal: nil,
            clock: clock
        )
        try await verifier.addEnterprise(
            Premises.account.enterprise,
            policy: "{}",
            by: .operatorCommand
        )
    }

    private static func check(_ process: FinishedProcess) throws {
        guard process.exitCode == 0 else { throw Premises.Failure(output: process.errorOutput) }
    }

    func close() async { await store.close() }

    /// The output of psql.
    func query(_ statement: String) throws -> String {
        try PostgresServer.psql(["--command=\(statement)"], in: connection)
    }
}

// MARK: Customers

extension Nodes {
    /// A person with an account and a device.
    struct Customer {
        let account: AccountReference
        let phone: Phone
        let context: CredentialContext
        let counter: Counter
        let epoch: Epoch

        var name: String { "\(account.key.id)" }
        var device: DeviceID { phone.id }
    }

    func customer(_ name: String) async throws -> Customer {
        let account = AccountReference(
            enterprise: Premises.account.enterprise,
            key: AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: name))
        )
        _ = try await verifier.addAccount(account, by: .operatorCommand)
        let phone = try await phone(of: account)
        let id = phone.id
        return try await store.read { connection throws(StoreFailure) in
            let ledger = Ledger(connection, nil)
            guard let state = try ledger.credentialState(.user, on: id) else { throw .damaged }
            return Customer(
                account: account,
                phone: phone,
                context: state.context,
                counter: state.credential.counter,
                epoch: try ledger.state().epoch
            )
        }
    }

    private func phone(of account: AccountReference) async throws -> Phone {
        let phone = try Phone(
            agreeingWith: KeyFile.privateKey(in: .file(first.path("keys/agreement"))).publicKey
        )
        let result = try await verifier.issueActivation(for: account, by: .operatorCommand)
        guard case .issued(let activation) = consume result else { throw Unexpected() }
        let claim = try phone.claim(activation.id, activation.code)
        guard case .offered(let offer, let mac) = try await verifier.claim(claim) else {
            throw Unexpected()
        }
        let commit = try phone.commit(claim, offer, mac: mac, activation.code)
        guard case .committed(let outcomes, _) = try await verifier.commit(commit) else {
            throw Unexpected()
        }
        guard outcomes.allSatisfy({ $0 == .enrolled }) else { throw Unexpected() }
        return phone
    }

    /// A new pending transaction for this person.
    func pay(from customer: Customer) async throws -> Transaction {
        let content = try Transaction.Content(context: .action, title: DisplayText("Apples"))
        let request = TransactionRequest(account: customer.account, content: content)
        guard
            case .created(let transaction, _) = try await verifier.request(
                request,
                by: .operatorCommand
            )
        else { throw Unexpected() }
        return transaction
    }
}

// MARK: Requests of devices

extension Nodes {
    /// A signed request of this device.
    func sign<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ content: Exchange.Request,
        by phone: Phone
    ) throws -> SignedRequest {
        guard let origin = ServerOrigin(Self.origin) else { throw Unexpected() }
        let parameters = DeviceSignatureParameters(
            deviceID: phone.id,
            created: clock.now,
            nonce: try .random()
        )
        let message = try exchange.message(content, to: origin)
        return try SignedRequest(message, parameters: parameters, signedWith: phone.key)
    }
}

extension Nodes.Customer {
    /// An approval with the code `place` steps after the next one.
    func approval(of transaction: Transaction, _ place: Int = 0) throws -> DecisionExchange.Request
    {
        let hash = try TransactionHash(of: transaction)
        let counter = Counter(counter.value + UInt64(place))
        let codes = try InBandCodes(of: context, seed: phone.seed(.user))
        let question = InBandQuestion.decision(hash, .approve, nil)
        guard let code = InBandCode(try codes.code(for: question, in: epoch, at: counter)) else {
            throw Nodes.Unexpected()
        }
        let envelope = CodeEnvelope(
            attempt: try .random(),
            generation: context.generation,
            epoch: epoch,
            counter: counter,
            code: code,
            blind: try .random()
        )
        let choice = DecisionExchange.Choice.approve(.userPIN)
        let evidence = DecisionEvidence(of: choice, on: hash, by: phone.id, envelope)
        return DecisionExchange.Request(
            transaction: transaction.id,
            choice: choice,
            evidence: try evidence.signature(by: phone.key),
            envelope: envelope
        )
    }
}
