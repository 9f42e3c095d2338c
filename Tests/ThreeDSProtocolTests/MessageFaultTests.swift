import StrictJSON
import Testing

@testable import ThreeDSProtocol

@Suite struct `Error messages` {
    private static let ids: TransactionIDs = {
        var ids = TransactionIDs()
        ids.server = SampleMessage.ids["threeDSServerTransID"]
        ids.acs = SampleMessage.ids["acsTransID"]
        ids.directory = SampleMessage.ids["dsTransID"]
        ids.sdk = SampleMessage.ids["sdkTransID"]
        return ids
    }()

    private func fault(
        _ code: MessageErrorCode,
        _ version: ProtocolVersion = .twoTwo,
        detail: String = "acsTransID",
        in type: MessageType? = .areq
    ) -> MessageFault {
        MessageFault(code, detail: detail, in: type, version: version, ids: Self.ids)
    }

    @Test(arguments: MessageErrorCode.allCases, Component.allCases)
    func `are made and read for each code and component`(
        code: MessageErrorCode,
        component: Component
    ) throws {
        let fault = fault(code, code.since)
        let message = try #require(fault.errorMessage(from: component))
        for receiver in Component.allCases {
            let read = try MessageReader(for: receiver).read(
                message.written(),
                as: [.erro],
                in: .first
            )
            #expect(read["errorCode"] == code.rawValue)
            #expect(read["errorComponent"] == component.rawValue)
            #expect(read["errorMessageType"] == "AReq")
            #expect(read["errorDetail"] == "acsTransID")
            #expect(read["errorDescription"]?.isEmpty == false)
            #expect(read.version == code.since)
            #expect(read.ids == Self.ids)
        }
    }

    @Test func `have the codes of their version`() {
        let common = MessageErrorCode.allCases.filter { $0.since == .twoOne }.map(\.rawValue)
        #expect(
            common == [
                "101", "102", "103", "201", "202", "203", "204", "301", "302", "303", "304", "305",
                "306", "307", "402", "403", "404", "405",
            ]
        )
        #expect(MessageErrorCode.allCases.allSatisfy { $0.since != .twoTwo })
    }

    @Test func `are never caused by another one`() throws {
        #expect(fault(.elementInvalid, in: .erro).errorMessage(from: .acs) == nil)
        let malformed = #"{"messageType":"Erro","messageVersion":"2.2.0","errorCode":"x"}"#
        let fault = try Refusal.of(malformed, as: [.erro, .creq], for: .acs)
        #expect(fault.code == .elementMissing)
        #expect(fault.errorMessage(from: .acs) == nil)
        let unexpected = try Refusal.of(malformed, as: [.creq], for: .acs)
        #expect(unexpected.code == .messageInvalid)
        #expect(unexpected.errorMessage(from: .acs) == nil)
    }

    @Test func `have an older code in a version that lacks theirs`() {
        for code in MessageErrorCode.allCases {
            for version in ProtocolVersion.allCases {
                let used = fault(code, version).code
                #expect(used.since <= version)
                #expect((used == code) == (code.since <= version))
            }
        }
    }

    @Test func `have a bounded detail, and no empty one`() throws {
        let long = fault(.elementMissing, detail: String(repeating: "é", count: 3000))
        #expect(long.detail.unicodeScalars.count == 2048)
        _ = try MessageReader(for: .sdk)
            .read(try #require(long.errorMessage(from: .acs)).written(), as: [.erro], in: .first)
        let empty = try #require(fault(.decryptionFailed, detail: "").errorMessage(from: .acs))
        #expect(empty["errorDetail"] == MessageErrorCode.decryptionFailed.description)
    }

    @Test func `have no type if it was not recognisable`() throws {
        let message = try #require(fault(.messageInvalid, in: nil).errorMessage(from: .directory))
        #expect(message["errorMessageType"] == nil)
        _ = try MessageReader(for: .server).read(message.written(), as: [.erro], in: .first)
    }

    @Test func `have only the identifiers that are known`() throws {
        let text =
            #"{"messageType":"CReq","messageVersion":"1.0.0","acsTransID":"4242424242424242"}"#
        let fault = try Refusal.of(text, as: [.creq], for: .acs)
        #expect(fault.code == .versionNotSupported)
        #expect(fault.detail == "2.1.0,2.2.0,2.3.1")
        #expect(fault.ids == TransactionIDs())
        var facts = TransactionFacts(version: .twoTwo, ids: Self.ids)
        facts.add("deviceChannel", ["02"])
        #expect(try Refusal.of(text, as: [.creq], for: .acs, in: facts).ids == Self.ids)
    }
}

/// The fault of a message that is not accepted.
enum Refusal {
    static func of(
        _ text: String,
        as types: Set<MessageType>,
        for receiver: Component,
        versions: [ProtocolVersion] = ProtocolVersion.allCases,
        in facts: TransactionFacts? = nil
    ) throws -> MessageFault {
        let reader = MessageReader(for: receiver, versions: versions)
        let isFirst = types.allSatisfy(MessageContext.first.permits)
        let unknown = isFirst ? MessageContext.first : .alone(versions.last ?? .twoThree)
        do throws(MessageReader.Failure) {
            let context = facts.map { .transaction($0) } ?? unknown
            _ = try reader.read(Array(text.utf8), as: types, in: context)
        } catch {
            guard case .fault(let fault) = error else { throw error }
            return fault
        }
        throw Accepted()
    }

    struct Accepted: Error {}
}
