import Cryptography
import TransactionApproval

@testable import SelfTest

extension VectorType {
    static let activationCode = VectorType(
        name: "activation-code",
        inputs: [.text("typed")],
        results: [.text("code")]
    ) { row in
        let typed = Array(try row.text("typed").utf8)
        let text = try ActivationCode(typed: typed.span).text()
        return ["code": .text(text.withBytes { String(decoding: $0.array, as: UTF8.self) })]
    }

    static let activationURI = VectorType(
        name: "activation-uri",
        inputs: [.text("uri")],
        results: [
            .text("server"), .text("key"), .text("activation"), .text("code").optional,
        ]
    ) { row in
        let text = Array(try row.text("uri").utf8)
        guard let uri = try ActivationURI.read(text.span) else { throw VectorCase.Refused() }
        var facts: [String: VectorCase.Value] = [
            "server": .text(uri.server.text), "key": .text("\(uri.serverKey)"),
            "activation": .text(uri.activation.text),
        ]
        guard try uri.text().withBytes({ $0.array }) == text else { return [:] }
        if let code = uri.takeCode() {
            let text = try code.text()
            facts["code"] = .text(text.withBytes { String(decoding: $0.array, as: UTF8.self) })
        }
        return facts
    }

    static let devicePolicy = VectorType(
        name: "device-policy",
        inputs: [.bytes("policy_hex")],
        results: [
            .integer("minimum_digits"), .integer("maximum_digits"), .list("authentication"),
            .text("device"), .list("return_addresses"),
        ]
    ) { row in
        let bytes = try row.bytes("policy_hex")
        let policy = try row.orRefused(DevicePolicy(bytes))
        guard policy.bytes == bytes else { return [:] }
        return [
            "minimum_digits": .integer(policy.pin.digitCounts.lowerBound),
            "maximum_digits": .integer(policy.pin.digitCounts.upperBound),
            "authentication": .list(policy.authentication.names.map { .text($0) }),
            "device": .text("\(policy.device)"),
            "return_addresses": .list(policy.returnAddresses.map { .text($0.text) }),
        ]
    }
}
