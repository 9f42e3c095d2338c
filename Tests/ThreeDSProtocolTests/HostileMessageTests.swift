import StrictJSON
import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `Hostile messages` {
    private static let samples = Scenarios.all.map { ($0, Array($0.members.document.utf8)) }

    /// A verdict whose error could be sent.
    private func read(_ bytes: [UInt8], as sample: SampleMessage) throws {
        let reader = MessageReader(for: sample.receiver)
        do throws(MessageReader.Failure) {
            _ = try reader.read(bytes, as: [sample.type], in: sample.context)
        } catch {
            guard case .fault(let fault) = error else { throw error }
            #expect(fault.detail.unicodeScalars.count <= 2048)
            #expect(!fault.detail.contains("4242424242424242"))
            let answer = fault.errorMessage(from: sample.receiver)
            #expect((answer == nil) == (fault.messageType == .erro || !fault.isReported))
            guard let answer else { return }
            _ = try MessageReader(for: .sdk).read(answer.written(), as: [.erro], in: .first)
        }
    }

    @Test func `with random changes get a verdict`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<(Proof.isComplete ? 100_000 : 700) {
            let (sample, bytes) = try #require(Self.samples.randomElement(using: &random))
            try read(changed(bytes, using: &random), as: sample)
        }
    }

    private func changed(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: bytes[index...].prefix(40), at: index)
            case 3: bytes.removeSubrange(index..<min(bytes.count, index + 30))
            default:
                bytes[index] = Array("\"{}[],:019eE-nul\\".utf8).randomElement(using: &random) ?? 0
            }
            if bytes.isEmpty { return [0] }
        }
        return bytes
    }

    @Test(arguments: MessageType.allCases)
    func `SEC-98: that are longer than their limit are refused before they are read`(
        _ type: MessageType
    ) throws {
        let sample = try #require(Scenarios.all.first { $0.type == type && $0.version == .twoTwo })
        let bytes = Array(sample.members.document.utf8)
        let limit = type.limits.byteCount
        let padded = bytes + Array(repeating: UInt8(ascii: " "), count: limit - bytes.count)
        let facts = SampleMessage.facts(sample.facts, .twoTwo)
        let reader = MessageReader(for: sample.receiver)
        _ = try reader.read(padded, as: [type], in: sample.context)
        let fault = try Refusal.of(
            String(decoding: padded + [UInt8(ascii: " ")], as: UTF8.self),
            as: [type],
            for: sample.receiver,
            in: facts
        )
        #expect(fault.code == .messageInvalid)
    }

    @Test func `SEC-98: with more levels or values than a message needs are refused`() throws {
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        let many = "[" + Array(repeating: "1", count: 4097).joined(separator: ",") + "]"
        for value in [deep, many] {
            let text = #"{"messageType":"CReq","messageVersion":"2.2.0","x":\#(value)}"#
            let fault = try Refusal.of(text, as: [.creq], for: .acs)
            #expect(fault.code == .messageInvalid)
        }
    }

    /// The verdict about an AReq whose extensions have so many characters.
    private func verdict(characters: Int, of kind: String = "x") throws -> String {
        let sample = SampleMessage(.areq, .twoTwo, to: .acs, on: .browser)
        let empty = #"{"name":"n","id":"X","criticalityIndicator":false,"data":{"a":""}}"#
        let rest = characters - 2 - 10 * empty.count - 9
        let elements = (0..<10).map { index in
            let count = rest / 10 + (index < rest % 10 ? 1 : 0)
            let text = String(repeating: kind, count: count)
            return empty.replacing(#""a":"""#, with: #""a":"\#(text)""#)
        }
        let members = sample.members.filter { $0.name != "messageExtension" }
        let text =
            members.document.dropLast()
            + #","messageExtension":[\#(elements.joined(separator: ","))]}"#
        return try JudgedCase(name: "extensions", text: String(text), sample: sample).verdict()
    }

    @Test(arguments: ["x", "é"])
    func `with 81,921 characters of extensions are refused, and not with fewer`(
        _ kind: String
    ) throws {
        // One extension may have 8059 characters, so ten do not reach the limit of all.
        #expect(try verdict(characters: 80_000, of: kind) == "ok")
        let longest = try verdict(characters: 81_920, of: kind)
        #expect(longest == "203 messageExtension.data")
        #expect(try verdict(characters: 81_921, of: kind) == "203 messageExtension")
    }

    @Test func `with numbers that no type can hold are refused`() throws {
        let sample = SampleMessage(.areq, .twoThree, to: .acs, on: .app)
        for number in ["1e400", "-0", "1e-400", String(repeating: "9", count: 5000)] {
            for member in sample.members where member.name != "messageType" {
                let members = sample.members.filter { $0.name != member.name }
                let text = members.document.dropLast() + ",\"\(member.name)\":\(number)}"
                let fault = try? Refusal.of(String(text), as: [.areq], for: .acs)
                let isDropped = member.name == "cardSecurityCode"
                #expect((fault?.code == .elementInvalid) == !isDropped, "\(member.name)")
            }
        }
    }
}
