import Cryptography
import TransactionApproval

@testable import SelfTest

extension VectorType {
    /// A body that is read, and then written again from the same values.
    static let deviceMessage = VectorType(
        name: "device-message",
        inputs: [.text("message"), .text("body")],
        results: []
    ) { row in
        guard let type = try row.messageType() else { throw VectorCase.Refused() }
        try row.checkMessage(of: type)
        return [:]
    }

    static let pushPayload = VectorType(
        name: "push-payload",
        inputs: [.bytes("payload_hex")],
        results: [.text("transaction"), .text("account_id"), .text("account_type")]
    ) { row in
        let payload = try PushPayload(reading: row.bytes("payload_hex"))
        guard try PushPayload(reading: payload.written) == payload else { return [:] }
        return [
            "transaction": .text(payload.transactionID.text),
            "account_id": .text(payload.account.id.text),
            "account_type": .text(payload.account.type.text),
        ]
    }
}

extension VectorCase {
    func message<Message: DeviceMessage>(
        _ name: String,
        as type: Message.Type
    ) throws -> Message {
        try Message(reading: Array(try text(name).utf8))
    }

    fileprivate func checkMessage<Message: DeviceMessage>(of type: Message.Type) throws {
        let message = try message("body", as: type)
        guard try Message(reading: message.written) == message else { throw Refused() }
    }

    /// By its route and direction, as in `status response`.
    fileprivate func messageType() throws -> (any DeviceMessage.Type)? {
        let name = try text("message")
        if name == "problem" { return Problem.self }
        let route = DeviceRoute.allCases.first { name.hasPrefix($0.name + " ") }
        return switch name.split(separator: " ").last {
        case "request": route?.exchange.requestType
        case "response": route?.exchange.responseType
        default: nil
        }
    }
}

extension DeviceRoute {
    /// The path without the common prefix.
    fileprivate var name: String { String(path.dropFirst("/device/v1/".count)) }
}

extension DeviceExchange {
    fileprivate static var requestType: any DeviceMessage.Type { Request.self }
    fileprivate static var responseType: any DeviceMessage.Type { Response.self }
}

extension VectorCase.Value {
    static func hexadecimal(_ bytes: [UInt8]) -> VectorCase.Value {
        .text(TextEncoding.hexadecimal.encode(bytes.span))
    }

    static func written(_ message: some DeviceMessage) throws -> VectorCase.Value {
        .text(String(decoding: try message.written, as: UTF8.self))
    }
}
