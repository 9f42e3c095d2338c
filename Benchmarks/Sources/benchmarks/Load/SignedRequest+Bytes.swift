import Cryptography
import TransactionApproval

extension SignedRequest {
    /// A request of the device, signed with its key.
    init<Exchange: DeviceExchange>(
        _: Exchange.Type,
        _ request: Exchange.Request,
        to origin: ServerOrigin,
        from device: DeviceID,
        signedWith key: P256.PrivateKey,
        at moment: Timestamp
    ) throws {
        try self.init(
            Exchange.message(request, to: origin),
            parameters: DeviceSignatureParameters(
                deviceID: device,
                created: moment,
                nonce: .random()
            ),
            signedWith: key
        )
    }

    /// The bytes of the HTTP request.
    var bytes: [UInt8] {
        // The path follows the origin, which is a scheme and a host.
        let parts = message.targetURI.split(separator: "/", maxSplits: 2)
        var lines = ["\(message.method) /\(parts[2]) HTTP/1.1", "Host: \(parts[1])"]
        lines += fields.map { "\($0.name): \($0.value)" }
        lines += ["Content-Length: \(message.body.count)", "", ""]
        return Array(lines.joined(separator: "\r\n").utf8) + message.body
    }
}
