import StrictJSON
import Testing
import TransactionApproval

/// A message with its text and functions to read and write it.
struct MessageSample: CustomTestStringConvertible, Sendable {
    let name: String
    let type: any DeviceMessage.Type
    /// As written by its type.
    let text: [UInt8]
    let limits: StrictJSON.Limits
    /// Reads such a message and writes it again.
    let rewritten: @Sendable ([UInt8]) throws -> [UInt8]
    /// Whether the value that was written is read back.
    let isReadBack: Bool

    init<Message: DeviceMessage>(_ name: String, _ message: Message) throws {
        self.name = name
        type = Message.self
        text = try message.written
        limits = Message.limits
        rewritten = { try Message(reading: $0).written }
        isReadBack = try Message(reading: text) == message
    }

    var testDescription: String { name }

    static func all() throws -> [MessageSample] {
        let values = try MessageValues()
        return try values.requests() + values.responses() + values.problems()
    }
}
