import Cryptography
package import HTTPServer
import Sealing
import ServerOperation
import Storage
import TransactionApproval
import Verification
import VerifierServer
import VerifierWorld

/// A bank whose verifier only devices call.
struct ServedBank {
    var bank: Bank
    private(set) var api: DeviceAPI
    let responseKey: P256.PrivateKey
    let nextResponseKey: P256.PublicKey
    let trusted: ServerKeys

    static let origin = ServerOrigin("https://approve.bank.example")

    init(_ bank: Bank, responseKey: P256.PrivateKey? = nil) throws {
        self.bank = bank
        let responseKey = try responseKey ?? P256.PrivateKey()
        self.responseKey = responseKey
        nextResponseKey = try P256.PrivateKey().publicKey
        trusted = try ServerKeys(current: responseKey.publicKey)
        api = try DeviceAPI(
            bank.verifier,
            at: Self.origin.unwrapped(),
            signingWith: responseKey,
            next: nextResponseKey
        )
    }

    init(policy: String = "{}") async throws {
        try self.init(try await Bank(policy: policy))
    }

    /// The same over another view of its store.
    func serving(_ database: any Database) async throws -> DeviceAPI {
        let verifier = bank.verifier(over: database)
        // Its first use derives the key of the tags.
        _ = try? await verifier.tokens()
        return try DeviceAPI(
            verifier,
            at: Self.origin.unwrapped(),
            signingWith: responseKey
        )
    }

    /// With these observers of all responses.
    func router(
        _ metrics: Metrics = Metrics(),
        _ log: Log? = nil,
        servesWebDevices: Bool = true,
        secondPerson: Set<VerifierServer.Configuration.BankOperation> = []
    ) throws -> Router {
        Router(
            devices: api,
            bank: try BankAPI(
                bank.verifier,
                at: Self.origin.unwrapped(),
                servesWebDevices: servesWebDevices,
                secondPerson: secondPerson,
                metrics: metrics
            ),
            reporter: Reporter(metrics: metrics, log: log ?? Log(to: -1, metrics: metrics))
        )
    }

    /// The same bank at one more node.
    func anotherNode() throws -> ServedBank { try ServedBank(bank, responseKey: responseKey) }
}

extension Request {
    /// A request for the origin that it was signed for.
    init(_ request: SignedRequest) throws {
        let origin = try ServedBank.origin.unwrapped().text
        self.init(
            method: request.message.method,
            target: String(request.message.targetURI.dropFirst(origin.utf8.count)),
            fields: request.fields.map { Field($0.name, $0.value) },
            body: request.message.body
        )
    }

    /// The same with the given changes.
    func with(
        method: String? = nil,
        target: String? = nil,
        fields: [Field]? = nil,
        body: [UInt8]? = nil
    ) -> Request {
        Request(
            method: method ?? self.method,
            target: target ?? self.target,
            fields: fields ?? self.fields,
            body: body ?? self.body
        )
    }
}

extension Response {
    /// The whole body: no response here is a stream.
    var bytes: [UInt8] {
        guard case .bytes(let bytes) = body else { return [] }
        return bytes
    }

    /// The signed message for this request, or nil.
    func authentic(to request: SignedRequest, from keys: ServerKeys) throws -> AuthenticResponse? {
        try UnverifiedResponse(self).authentic(to: request.reference, from: keys)
    }
}

extension Response: Equatable {
    package static func == (one: Response, other: Response) -> Bool {
        one.status == other.status && one.fields == other.fields && one.bytes == other.bytes
    }
}

extension UnverifiedResponse {
    init(_ response: Response) {
        self.init(
            status: response.status,
            fields: response.fields.map { HTTPField($0.name, $0.value) },
            body: response.bytes
        )
    }
}
