import StrictJSON
import Testing
import TransactionApproval

@Suite struct `Push payloads` {
    static let text = #"{"sa_transaction_id":"tx-1","account_id":"acc.1","account_type":"main"}"#

    @Test func `SEC-35 have three names and are read back`() throws {
        let payload = try payload()
        #expect(payload.written == Array(Self.text.utf8))
        #expect(try PushPayload(reading: payload.written) == payload)
    }

    @Test(arguments: [
        #"{"account_type":"main","sa_transaction_id":"tx-1","account_id":"acc.1"}"#,
        #"{"sa_transaction_id":"tx-1","account\u005fid":"acc.1","account_type":"main"}"#,
        #"{"sa_transaction_id":"tx-1","\u0061ccount_id":"\u0061cc\u002E1","account_type":"main"}"#,
        " {\r\n\t\"sa_transaction_id\" : \"tx-1\" , \"account_id\":\n\"acc.1\",\"account_type\":\"main\" }\n",
        text + String(repeating: " ", count: 4096 - text.utf8.count),
    ])
    func `SEC-35 may have any order, white space and escapes`(
        _ text: String
    ) throws {
        #expect(try PushPayload(reading: Array(text.utf8)) == payload())
    }

    @Test func `SEC-35 with names of the maximum length are read, and longer ones are refused`()
        throws
    {
        let longest = String(repeating: "x", count: 64)
        _ = try read(Self.text.replacing("tx-1", with: longest))
        #expect(throws: StrictJSON.Failure.mismatch(.refused, path: "/sa_transaction_id")) {
            try read(Self.text.replacing("tx-1", with: longest + "x"))
        }
    }

    @Test(arguments: MalformedPushPayload.all)
    func `SEC-35 are refused in any other form`(_ payload: MalformedPushPayload) {
        #expect(throws: StrictJSON.Failure.self) { try PushPayload(reading: payload.bytes) }
    }

    @Test func `SEC-35 have more than a hundred faulty examples`() {
        #expect(Set(MalformedPushPayload.all.map(\.bytes)).count >= 100)
    }

    @discardableResult
    private func read(_ text: String) throws -> PushPayload {
        try PushPayload(reading: Array(text.utf8))
    }

    private func payload() throws -> PushPayload {
        PushPayload(
            transactionID: try #require(TransactionID("tx-1")),
            account: AccountKey(
                type: try #require(AccountType("main")),
                id: try #require(AccountID("acc.1"))
            )
        )
    }
}
