import Testing

@testable import ThreeDSProtocol

@Suite struct `The transaction status` {
    /// `true`: accepted, `false`: error 203, nil: the receiver stops without an error.
    private func verdict(
        _ status: String,
        in type: MessageType,
        _ version: ProtocolVersion = .twoTwo,
        on channel: DeviceChannel = .browser,
        after areq: [String: [String]]
    ) throws -> Bool? {
        let receiver: Component = type == .cres ? .server : .directory
        let sample = SampleMessage(
            type,
            version,
            to: receiver,
            on: channel,
            ["transStatus": status, "acsDecConInd": status == "D" ? "Y" : "N"],
            after: areq
        )
        let verdict = try JudgedCase(
            name: status,
            text: sample.members.document,
            sample: sample
        ).verdict()
        switch verdict {
        case "ok": return true
        case "end": return nil
        default:
            #expect(verdict == "203 transStatus")
            return false
        }
    }

    private static let all: [String: [String]] = [
        "threeDSRequestorDecReqInd": ["Y"], "threeDSRequestorChallengeInd": ["05"],
    ]

    @Test(arguments: ["Y", "N", "U", "A", "C", "D", "R", "I"])
    func `has values of its own in each message`(_ status: String) throws {
        #expect(try verdict(status, in: .ares, after: Self.all) == true)
        #expect(try verdict(status, in: .rreq, after: Self.all) == !"CDI".contains(status))
        let isFinal = status == "Y" || status == "N"
        #expect(try verdict(status, in: .cres, after: Self.all) == (isFinal ? true : nil))
    }

    @Test func `requires a challenge only from a cardholder who has a device`() throws {
        #expect(try verdict("C", in: .ares, on: .requestor, after: Self.all) == false)
        let share = ["threeDSRequestorChallengeInd": ["06"]]
        #expect(try verdict("C", in: .ares, after: share) == false)
        #expect(try verdict("C", in: .ares, after: ["threeDSRequestorChallengeInd": []]) == true)
    }

    @Test func `decouples only if the requestor asked for it`() throws {
        func decoupled(_ type: MessageType, _ version: ProtocolVersion, _ wish: [String]) throws
            -> Bool?
        {
            try verdict("D", in: type, version, after: ["threeDSRequestorDecReqInd": wish])
        }
        #expect(try decoupled(.ares, .twoTwo, ["Y"]) == true)
        #expect(try decoupled(.ares, .twoThree, ["B"]) == true)
        #expect(try decoupled(.rreq, .twoThree, ["B"]) == true)
        #expect(try decoupled(.rreq, .twoThree, ["F"]) == true)
        #expect(try decoupled(.rreq, .twoThree, ["Y"]) == false)
        #expect(try decoupled(.rreq, .twoTwo, ["Y"]) == false)
    }

    @Test(arguments: ["01", "02", "03", "04", "08", "09"])
    func `informs only after a request without a challenge`(_ indicator: String) throws {
        let areq = ["threeDSRequestorChallengeInd": [indicator]]
        #expect(try verdict("I", in: .ares, after: areq) == false)
    }

    @Test func `is unknown to 2.1.0 if it was added later`() throws {
        #expect(try verdict("I", in: .ares, .twoOne, after: Self.all) == false)
        #expect(try verdict("S", in: .ares, .twoTwo, after: Self.all) == false)
    }

    @Test(arguments: [MessageType.ares, .rreq])
    func `needs a reason if it is N, U or R`(_ type: MessageType) throws {
        for status in ["Y", "N", "U", "A", "R"] {
            let sample = SampleMessage(
                type,
                .twoTwo,
                to: .directory,
                on: .browser,
                ["transStatus": status],
                without: ["transStatusReason"],
                after: Self.all
            )
            let verdict = try JudgedCase(
                name: status,
                text: sample.members.document,
                sample: sample
            ).verdict()
            #expect(verdict == ("NUR".contains(status) ? "201 transStatusReason" : "ok"))
        }
    }
}
