import Cryptography
import JOSE
import StrictJSON
import Testing

@testable import ThreeDSProtocol

/// The store of an ACS between two or more nodes that crash, race, or have an old state.
@Suite struct `The stored state of a channel` {
    /// One row with the response to the last request.
    private final class Row {
        private(set) var state: [UInt8]
        private(set) var response: [UInt8]?

        init(_ party: Party) {
            state = party.state.encoded
        }

        /// One transaction: nothing changes unless the row contains the expected state.
        func replace(_ replacement: SecureChannel.Replacement, response: [UInt8]?) -> Bool {
            guard state == replacement.expected else { return false }
            (state, self.response) = (replacement.new, response)
            return true
        }
    }

    private let sdk: Party
    private let acs: Party
    private let row: Row

    init() throws {
        (sdk, acs) = try ChallengeKeys().parties(.a128GCM)
        row = Row(acs)
    }

    private func node() throws -> Party { try acs.restored(row.state) }

    @Test func `SEC-80: lets one of two nodes respond to a request`() throws {
        let request = try sdk.seal("request")
        let nodes = [try node(), try node()]
        let responses = try nodes.enumerated().map { number, node in
            #expect(try node.text(in: request) == "request")
            return try node.seal("response \(number)")
        }
        // Only one of them may leave the ACS.
        #expect(try nonce(of: responses[0]) == nonce(of: responses[1]))
        #expect(responses[0] != responses[1])
        #expect(row.replace(nodes[0].replacement, response: responses[0]))
        #expect(!row.replace(nodes[1].replacement, response: responses[1]))
        // The second node begins again.
        #expect(try node().open(request) == .repeated(.withResponse))
        #expect(row.response == responses[0])
        #expect(try sdk.text(in: responses[0]) == "response 0")
    }

    @Test func `is not ended by a node that has an old state`() throws {
        let late = try node()
        let current = try node()
        _ = try current.open(sdk.seal())
        #expect(row.replace(current.replacement, response: try current.seal()))
        let request = try sdk.seal("second")
        #expect(try late.refuses(request))
        #expect(!row.replace(late.replacement, response: nil))
        #expect(try node().text(in: request) == "second")
    }

    @Test func `SEC-79: does not have a request whose response was not stored`() throws {
        let request = try sdk.seal("request")
        let crashed = try node()
        #expect(try crashed.text(in: request) == "request")
        _ = try crashed.seal("lost")
        // The SDK sends the same bytes again.
        let node = try node()
        #expect(try node.text(in: request) == "request")
        let response = try node.seal("response")
        #expect(row.replace(node.replacement, response: response))
        #expect(try self.node().open(request) == .repeated(.withResponse))
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
        guard case .repeated(.withoutResponse(let bytes)) = try restarted.open(request) else {
            Issue.record("there is no response to send again")
            return
        }
        #expect(try JSONValue(reading: bytes, limits: .message)["text"]?.text == "second")
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
        }
        let replacement = try acs.restored(spellings[1]).replacement
        #expect(replacement.expected == replacement.new)
    }
}
