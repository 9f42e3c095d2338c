import Foundation
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol

/// A message of the ACS, with the messages before it and the peer that reads it.
struct JudgedMessage {
    let message: Message
    let receiver: Component
    let request: Message
    var response: Message?
    /// The secure channel writes it.
    var counter: String?

    var bytes: [UInt8] {
        get throws {
            var members = message.members
            if let counter {
                members.append(.init(name: "acsCounterAtoS", value: .string(counter)))
            }
            return try JSONValue.object(members).written()
        }
    }

    /// `ok`, or the code and the names of the error that our own reader finds.
    func verdict() throws -> String {
        var facts = try #require(TransactionFacts(request))
        if let response { facts.add(response) }
        let bytes = try bytes
        do throws(MessageReader.Failure) {
            _ = try MessageReader(for: receiver)
                .read(bytes, as: [message.type], in: .transaction(facts))
            return "ok"
        } catch {
            guard case .fault(let fault) = error else { throw error }
            return fault.isReported ? "\(fault.code.rawValue) \(fault.detail)" : "end"
        }
    }

    /// The elements that the version does not have in this message.
    func unknownNames() throws -> Set<String> {
        let channel = try #require(request["deviceChannel"].flatMap(DeviceChannel.init))
        let category = try #require(request["messageCategory"].flatMap(MessageCategory.init))
        let rows = FieldTable.rows(of: message.type, in: message.version).rows.filter { row in
            row.uses.contains { use in
                use.messages.contains(message.type) && use.channels.contains(channel)
                    && use.categories.contains(category)
            }
        }
        return message.names.subtracting(rows.map(\.name))
    }

    /// The verdicts of the reference checker, which has a table of its own.
    static func referenceVerdicts(_ messages: [JudgedMessage]) throws -> [String] {
        let path = URL(filePath: #filePath).appending(
            path: "../../../ThreeDSProtocolTests/reference_checker.py"
        )
        let lines = try messages.map { String(decoding: try $0.line, as: UTF8.self) }
        let checker = try FinishedProcess.run(
            "python3",
            ["-B", path.standardized.path],
            input: Array(lines.joined(separator: "\n").utf8)
        )
        try #require(checker.exitCode == 0, "\(checker.errorOutput)")
        return checker.output.split(separator: "\n").map { String($0) }
    }

    private var line: [UInt8] {
        get throws {
            let carried = [
                "deviceChannel", "messageCategory", "threeDSRequestorChallengeInd",
                "threeDSRequestorDecReqInd",
            ]
            var facts = ["version": [message.version.rawValue]]
            for name in carried { facts[name] = Self.texts(request[value: name]) }
            facts["acsDecConInd"] = Self.texts(response?[value: "acsDecConInd"])
            for name in ["threeDSServerTransID", "dsTransID", "sdkTransID"] {
                if let id = request[name] { facts[name] = [id] }
            }
            let text = String(decoding: try bytes, as: UTF8.self)
            return try JSONValue.object([
                .init(name: "message", value: .string(text)),
                .init(name: "receiver", value: .string(receiver.rawValue)),
                .init(
                    name: "facts",
                    value: .object(
                        facts.map { name, texts in
                            .init(name: name, value: .array(texts.map { .string($0) }))
                        }
                    )
                ),
                .init(name: "types", value: .array([.string(message.type.rawValue)])),
            ]).written()
        }
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        guard let value else { return [] }
        return value.text.map { [$0] } ?? value.elements.compactMap(\.text)
    }
}
