import Cryptography
import TransactionApproval

/// A device and a server with one key each, and one request.
struct SignedExchange {
    let deviceKey: P256.PrivateKey
    let serverKey: P256.PrivateKey
    let trusted: ServerKeys
    let parameters: DeviceSignatureParameters
    let request: SignedRequest

    /// The time of the examples in RFC 9421.
    static let now = Timestamp(milliseconds: 1_618_884_473_000) ?? .latest

    static let message = RequestMessage(
        method: "POST",
        targetURI: "https://approve.example.com/device/v1/decisions?lang=de",
        contentType: "application/json",
        body: Array(#"{"hello": "world"}"#.utf8)
    )

    static let response = ResponseMessage(
        status: 200,
        contentType: "application/json",
        body: Array(#"{"verdict": "accepted"}"#.utf8)
    )

    init(_ message: RequestMessage = message, created: Timestamp = now) throws {
        deviceKey = try P256.PrivateKey()
        serverKey = try P256.PrivateKey()
        trusted = try ServerKeys(current: serverKey.publicKey)
        parameters = DeviceSignatureParameters(
            deviceID: try .random(),
            created: created,
            nonce: try .random()
        )
        request = try SignedRequest(message, parameters: parameters, signedWith: deviceKey)
    }
}

extension SignedExchange {
    /// The server's verdict, with these values changed.
    func verdict(
        method: String? = nil,
        targetURI: String? = nil,
        fields: [HTTPField]? = nil,
        body: [UInt8]? = nil,
        at now: Timestamp = now
    ) throws -> UnverifiedRequest.Verdict {
        let request = try UnverifiedRequest(
            method: method ?? self.request.message.method,
            targetURI: targetURI ?? self.request.message.targetURI,
            fields: fields ?? self.request.fields,
            body: body ?? self.request.message.body
        )
        return try request.verdict(for: deviceKey.publicKey, at: now)
    }

    /// Whether the server refuses the request or finds it forged.
    func isRefused(
        method: String? = nil,
        targetURI: String? = nil,
        fields: [HTTPField]? = nil,
        body: [UInt8]? = nil
    ) throws -> Bool {
        do {
            return try verdict(method: method, targetURI: targetURI, fields: fields, body: body)
                == .forged
        } catch is SignatureFailure {
            return true
        }
    }

    func signedResponse(_ response: ResponseMessage = response) throws -> [HTTPField] {
        try response.signedFields(
            respondingTo: request.reference,
            created: Self.now,
            with: serverKey
        )
    }

    /// The verified response, with these values changed.
    func authentic(
        status: Int = response.status,
        fields: [HTTPField],
        body: [UInt8] = response.body,
        to request: SignedRequest? = nil
    ) throws -> AuthenticResponse? {
        try UnverifiedResponse(status: status, fields: fields, body: body)
            .authentic(to: (request ?? self.request).reference, from: trusted)
    }
}
