import Cryptography
import Testing

@testable import TransactionApproval

// MARK: Requests and responses

extension WorkedExample {
    func exchange<Exchange: DeviceExchange>(
        _ name: String,
        _ type: Exchange.Type,
        _ request: Exchange.Request,
        _ response: Exchange.Response,
        nonce: UInt8
    ) throws {
        let now = try moment(1_800_000_000_000)
        let message = try Exchange.message(request, to: origin)
        let parameters = DeviceSignatureParameters(
            deviceID: device.id,
            created: now,
            nonce: RequestNonce(checked: bytes(from: nonce, 16))
        )
        write("#### The request of the \(name)\n\nThe device signs:")
        let digest = try ContentDigest(of: message.body).fieldValue
        let base = try message.signatureBase(contentDigest: digest, parameters: parameters.text)
        let fields = try signedFields(
            "the \(name) request",
            message.contentType,
            digest,
            base,
            by: device.key
        )
        let target = message.targetURI.dropFirst(origin.text.count)
        http("POST \(target) HTTP/1.1\nHost: approve.bank.example", fields, message.body)
        let unverified = try UnverifiedRequest(
            method: message.method,
            targetURI: message.targetURI,
            fields: fields,
            body: message.body
        )
        #expect(try Exchange.Request(reading: message.body) == request)
        guard
            case .authentic(let authentic) = try unverified.verdict(
                for: device.key.publicKey,
                at: now
            )
        else { throw MissingSignature(name: name) }

        write("#### The response to the \(name)\n\nThe verifier signs:")
        let responseMessage = try Exchange.message(.done(response))
        let responseDigest = try ContentDigest(of: responseMessage.body).fieldValue
        let responseBase = try responseMessage.signatureBase(
            contentDigest: responseDigest,
            respondingTo: authentic.reference,
            parameters: ServerSignatureParameters(
                keyID: try ServerKeyID(of: responseKey.publicKey),
                created: now
            ).text
        )
        let responseFields = try signedFields(
            "the \(name) response",
            responseMessage.contentType,
            responseDigest,
            responseBase,
            by: responseKey
        )
        http("HTTP/1.1 200 OK", responseFields, responseMessage.body)
        let verified = try UnverifiedResponse(
            status: responseMessage.status,
            fields: responseFields,
            body: responseMessage.body
        ).authentic(
            to: authentic.reference,
            from: ServerKeys(current: responseKey.publicKey)
        )
        let outcome = try Exchange.outcome(of: #require(verified).message)
        #expect(outcome == .done(response))
    }

    func signedFields(
        _ name: String,
        _ contentType: String,
        _ digest: String,
        _ base: SignatureBase,
        by key: P256.PrivateKey
    ) throws -> [HTTPField] {
        values += String(decoding: base.bytes, as: UTF8.self) + "\n"
        endBlock()
        let raw = try signature(name, by: key, over: base.bytes)
        endBlock()
        return [
            HTTPField("Content-Type", contentType),
            HTTPField("Content-Digest", digest),
            HTTPField("Signature-Input", "countersign=" + base.signatureParameters),
            HTTPField("Signature", "countersign=:\(TextEncoding.base64.encode(raw.span)):"),
        ]
    }

    func http(_ start: String, _ fields: [HTTPField], _ body: [UInt8]) {
        values += start + "\n"
        for field in fields { values += "\(field.name): \(field.value)\n" }
        values += "Content-Length: \(body.count)\n\n"
        values += String(decoding: body, as: UTF8.self) + "\n"
        endBlock("http")
    }

    func signature(
        _ name: String,
        by key: P256.PrivateKey,
        over message: [UInt8]
    ) throws -> [UInt8] {
        let name = "signature of \(name)"
        var raw = recorded[name]
        if signsAnew { raw = try key.signature(for: message.span).raw }
        guard
            let raw,
            try key.publicKey.isValid(P256.Signature(raw: raw.span), for: message.span)
        else { throw MissingSignature(name: name) }
        value(name, raw)
        return raw
    }
}

// MARK: Values

extension WorkedExample {
    func write(_ paragraph: String) { text += paragraph + "\n\n" }

    func endBlock(_ language: String = "text") {
        text += "```\(language)\n\(values)```\n\n"
        values = ""
    }

    func value(_ name: String, _ bytes: [UInt8]) {
        values += "\(name) = \(TextEncoding.hexadecimal.encode(bytes.span))\n"
    }

    func hash(_ name: String, _ message: [UInt8]) throws -> [UInt8] {
        let hash = try HashAlgorithm.sha256.digest(of: message.span).array
        value(name, hash)
        return hash
    }

    func extract(_ name: String, salt: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
        let extracted = try HKDF.extract(from: SecureBytes(key), salt: salt.span)
            .withBytes { $0.array }
        value(name, extracted)
        return extracted
    }

    func expand(
        _ name: String,
        _ key: [UInt8],
        _ info: FieldWriter
    ) throws -> [UInt8] {
        let info = info.bytes
        let expanded = try HKDF.expand(from: SecureBytes(key), info: info.span, byteCount: 32)
            .withBytes { $0.array }
        value(name, expanded)
        return expanded
    }

    func mac(_ name: String, _ key: [UInt8], _ message: [UInt8]) throws -> [UInt8] {
        let mac = try HMAC(.sha256, key: SecureBytes(key)).authenticate(message.span).array
        value(name, mac)
        return mac
    }
}
