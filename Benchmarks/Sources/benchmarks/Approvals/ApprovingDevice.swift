import AuthenticationHandler
import CReference
import Cryptography
import FoundationEssentials
import OneTimePassword
import Sealing
import Storage
import TransactionApproval
import Verification
import VerifierServer

/// A device with one account and its verifier, both in this process.
final class ApprovingDevice {
    enum Circumstance {
        case plain
        /// The transaction has the bank's reference, which the device stores.
        case named
        /// The device's counter is behind, as after a restore.
        case outOfStep
    }

    /// The device's own cost, without the cost of the verifier.
    struct Cost {
        /// In nanoseconds.
        var processorTime: Double
        /// The number of calls of `fsync`.
        var waits: Double

        static var now: Cost {
            Cost(
                processorTime: benchmarks.processorTime(),
                waits: Double(reference_wait_count())
            )
        }

        static func + (left: Cost, right: Cost) -> Cost {
            Cost(
                processorTime: left.processorTime + right.processorTime,
                waits: left.waits + right.waits
            )
        }

        static func - (left: Cost, right: Cost) -> Cost {
            Cost(
                processorTime: left.processorTime - right.processorTime,
                waits: left.waits - right.waits
            )
        }
    }

    private static let enterprise = EnterpriseID(checked: "bank")
    private static let account = DecisionStore.account(0)
    private static let digits = Array("271905".utf8)
    private static let policy = """
        {"authentication": ["consent", "userPIN"],
         "consentCeilings": [{"currency": "EUR", "minorUnits": 3000}]}
        """

    private let folder: TemporaryFolder
    private let verifier: Verifier
    private let clock = Clock()
    private let transport: MeasuredTransport
    private let handler: AuthenticationHandler
    private var count = 0

    init() async throws {
        folder = try TemporaryFolder()
        let (agreementKey, responseKey) = (try P256.PrivateKey(), try P256.PrivateKey())
        try KeyFile.createEncryptionKeys(at: folder.path + "/keys")
        try SQLiteDatabase.create(path: folder.path + "/store", migrations: Schema.migrations)
        let clock = clock
        verifier = Verifier(
            database: try SQLiteDatabase(
                path: folder.path + "/store",
                migrations: Schema.migrations
            ),
            keys: KeyRing(try KeyFile.encryptionKeys(in: .file(folder.path + "/keys"))),
            agreementKey: agreementKey,
            journal: nil,
            clock: VerifierClock { clock.now }
        )
        guard let origin = ServerOrigin("https://approve.bank.example") else {
            throw BenchmarkFailure("invalid example origin")
        }
        transport = MeasuredTransport(
            to: try DeviceAPI(verifier, at: origin, signingWith: responseKey)
        )
        handler = try AuthenticationHandler(
            vault: folder.path + "/vault",
            secrets: SecretFolder(folder.path + "/secrets"),
            deviceName: "Phone",
            transport: transport
        )
        try await activate(
            TrustedServer(
                origin: origin.text,
                agreementKey: agreementKey.publicKey.text,
                signingKey: responseKey.publicKey.text
            )
        )
    }

    private func activate(_ server: TrustedServer) async throws {
        try await verifier.begin()
        try await verifier.addEnterprise(
            Self.enterprise,
            policy: Self.policy,
            by: .operatorCommand
        )
        _ = try await verifier.addAccount(Self.account, by: .operatorCommand)
        let result = try await verifier.issueActivation(for: Self.account, by: .operatorCommand)
        guard case .issued(let issued) = consume result else {
            throw BenchmarkFailure("no activation was issued")
        }
        let activation = try issued.code.text().withBytes {
            try Activation(id: issued.id.text, code: $0, at: server)
        }
        let verified = try await handler.verifyActivation(activation)
        _ = try await handler.setPIN(PIN(copying: Self.digits.span), for: verified)
    }

    /// Requests a transaction, and lets the device fetch and approve it.
    func approve(_ circumstance: Circumstance) async throws -> Cost {
        if circumstance == .outOfStep {
            try copy("/vault", to: "/copy")
            _ = try await approve(.plain)
            try FileManager.default.removeItem(atPath: folder.path + "/vault")
            try copy("/copy", to: "/vault")
            try FileManager.default.removeItem(atPath: folder.path + "/copy")
        }
        // Only the PIN ends the count of consents, and of requests in a day.
        if count.isMultiple(of: 4) { try await approveWithPIN() }
        try await setClock()
        try await createTransaction(reference: circumstance == .named ? "order-\(count)" : nil)
        transport.resetCost()
        let start = Cost.now
        let result = try await handler.decideNextTransaction { _ in .approve(with: .consent) }
        let cost = Cost.now - start - transport.cost
        guard result?.isApproved == true else {
            throw BenchmarkFailure("the approval: \(String(describing: result))")
        }
        return cost
    }

    /// A person gets at most five requests in ten minutes.
    private func setClock() async throws {
        clock.advance(by: .seconds(150))
        _ = try await handler.pendingTransaction()
    }

    private func approveWithPIN() async throws {
        try await setClock()
        try await createTransaction(reference: nil)
        guard let transaction = try await handler.pendingTransaction() else {
            throw BenchmarkFailure("no transaction is pending")
        }
        _ = try await handler.approve(
            transaction,
            with: .pin(PIN(copying: Self.digits.span))
        )
    }

    private func createTransaction(reference: String?) async throws {
        count += 1
        guard
            let euro = Currency("EUR"), let amount = Amount(minorUnits: 10_00, currency: euro),
            let payee = AccountNumber("DE89370400440532013000")
        else { throw BenchmarkFailure("invalid example data") }
        let result = try await verifier.request(
            TransactionRequest(
                account: Self.account,
                content: Transaction.Content(
                    context: .payment,
                    title: DisplayText("Transfer"),
                    amounts: [amount],
                    payees: [
                        Transaction.Payee(name: DisplayText("Grocer"), recipient: .account(payee))
                    ]
                ),
                reference: reference.map { ExternalReference(checked: $0) }
            ),
            by: .operatorCommand
        )
        guard case .created = result else { throw BenchmarkFailure("the request: \(result)") }
    }

    private func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(
            atPath: folder.path + name,
            toPath: folder.path + other
        )
    }
}

extension P256.PublicKey {
    /// The text that an app's configuration contains.
    var text: String {
        let point = uncompressedPoint
        return TextEncoding.base64URL.encode(point.span)
    }
}
