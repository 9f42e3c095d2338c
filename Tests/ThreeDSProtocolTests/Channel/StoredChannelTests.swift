import Cryptography
import JOSE
import StrictJSON
import Testing

@testable import ThreeDSProtocol

/// The state of an ACS that crashed, or of a node that continues a challenge.
@Suite struct `The stored state of a channel` {
    private let sdk: Party
    private let acs: Party

    init() throws { (sdk, acs) = try ChallengeKeys().parties(.a128GCM) }

    private func node(_ state: [UInt8]) throws -> Party { try acs.restored(state) }

    @Test func `refuses a later request if it is old`() throws {
        let old = acs.state.encoded
        _ = try acs.open(sdk.seal())
        _ = try sdk.open(acs.seal())
        let request = try sdk.seal("second")
        #expect(try node(old).refuses(request))
        #expect(try node(acs.state.encoded).text(in: request) == "second")
    }

    @Test func `SEC-79: does not have a request whose response was not stored`() throws {
        let stored = acs.state.encoded
        let request = try sdk.seal("request")
        #expect(try acs.text(in: request) == "request")
        _ = try acs.seal("lost")
        // The SDK sends the same bytes again, and another node has the state of before.
        let node = try node(stored)
        #expect(try node.text(in: request) == "request")
        let response = try node.seal("response")
        #expect(try self.node(node.state.encoded).open(request) == .repeated(.withResponse))
        #expect(try sdk.text(in: response) == "response")
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `SEC-79: shows that a request never had a response`(_ encryption: JWE.Encryption) throws {
        let (sdk, acs) = try ChallengeKeys().parties(encryption)
        _ = try acs.open(sdk.seal("first"))
        _ = try sdk.open(acs.seal("answer"))
        let request = try sdk.seal("second")
        #expect(try acs.text(in: request) == "second")
        // Stored before the response was sealed; then the node crashed.
        let restarted = try acs.restored(acs.state.encoded)
        guard case .repeated(.withoutResponse(let document)) = try restarted.open(request) else {
            Issue.record("there is no response to send again")
            return
        }
        #expect(try JSONValue(reading: document.text, limits: .message)["text"]?.text == "second")
        #expect(restarted.state == acs.state)
        let response = try restarted.seal("response")
        #expect(try sdk.text(in: response) == "response")
        let later = try restarted.restored(restarted.state.encoded)
        #expect(try later.open(request) == .repeated(.withResponse))
    }

    @Test func `has one spelling, which changes with each message`() throws {
        var spellings = [acs.state.encoded]
        for _ in 0..<3 {
            _ = try acs.open(sdk.seal())
            spellings.append(acs.state.encoded)
            _ = try sdk.open(acs.seal())
            spellings.append(acs.state.encoded)
        }
        #expect(try acs.refuses([]))
        spellings.append(acs.state.encoded)
        #expect(Set(spellings).count == 8)
        for spelling in spellings {
            #expect(SecureChannel.State(encoded: spelling)?.encoded == spelling)
            #expect(try acs.restored(spelling).state.encoded == spelling)
        }
    }
}
