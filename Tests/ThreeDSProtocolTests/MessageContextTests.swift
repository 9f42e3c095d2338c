import Testing

@testable import ThreeDSProtocol

@Suite struct `The context of a message` {
    private static let request = SampleMessage(
        .creq,
        .twoTwo,
        to: .acs,
        on: .app,
        without: ["challengeCancel", "challengeNoEntry", "sdkCounterStoA"],
        after: ["acsUiType": ["01"]]
    )
    private static let bytes = Array(request.members.document.utf8)

    private func read(in context: MessageContext) throws -> String {
        do throws(MessageReader.Failure) {
            _ = try MessageReader(for: .acs).read(Self.bytes, as: [.creq], in: context)
            return "ok"
        } catch {
            guard case .fault(let fault) = error else { throw error }
            return "\(fault.code.rawValue) \(fault.detail)"
        }
    }

    @Test func `of a transaction demands the elements of its channel`() throws {
        let facts = TransactionFacts(version: .twoTwo, channel: .app, category: .payment)
        #expect(try read(in: .transaction(facts)) == "201 sdkCounterStoA")
        #expect(try read(in: Self.request.context) == "201 sdkCounterStoA")
    }

    @Test func `of a message that is alone demands only what is known`() throws {
        #expect(try read(in: .alone(.twoTwo)) == "ok")
        #expect(try read(in: .alone(.twoOne)) == "203 messageVersion")
        let sample = SampleMessage(.areq, .twoTwo, to: .acs, on: .app)
        let areq = try MessageReader(for: .acs)
            .read(Array(sample.members.document.utf8), as: [.areq], in: .alone(.twoTwo))
        #expect(try read(in: .alone(.twoTwo, after: [areq])) == "201 sdkCounterStoA")
    }

    @Test func `of the first message is for messages that state all facts`() {
        let first = MessageType.allCases.filter(MessageContext.first.permits)
        #expect(first == [.areq, .preq, .erro])
        let answers = MessageType.allCases.filter(
            MessageContext.preparation(.twoTwo, TransactionIDs()).permits
        )
        #expect(answers == [.pres, .erro])
    }

    @Test func `has the facts of an AReq only`() throws {
        for type in MessageType.allCases where type != .areq {
            let sample = SampleMessage(type, .twoTwo, to: .acs, on: .app)
            let message = Message(type, .twoTwo, sample.members)
            #expect(TransactionFacts(message)?.version == nil, "\(type)")
        }
        let areq = SampleMessage(.areq, .twoTwo, to: .acs, on: .browser, for: .nonPayment)
        let facts = try #require(TransactionFacts(Message(.areq, .twoTwo, areq.members)))
        #expect(facts.channel == .browser)
        #expect(facts.category == .nonPayment)
    }

    @Test func `of a preparation has the identifiers of its request`() throws {
        let sample = SampleMessage(.pres, .twoTwo, to: .server)
        func verdict(_ id: String?) throws -> String {
            var ids = TransactionIDs()
            ids.server = id
            do throws(MessageReader.Failure) {
                _ = try MessageReader(for: .server).read(
                    Array(sample.members.document.utf8),
                    as: [.pres],
                    in: .preparation(.twoTwo, ids)
                )
                return "ok"
            } catch {
                guard case .fault(let fault) = error else { throw error }
                return "\(fault.code.rawValue) \(fault.detail)"
            }
        }
        #expect(try verdict(SampleMessage.ids["threeDSServerTransID"]) == "ok")
        #expect(
            try verdict("00000000-0000-0000-0000-000000000000") == "301 threeDSServerTransID"
        )
    }
}
