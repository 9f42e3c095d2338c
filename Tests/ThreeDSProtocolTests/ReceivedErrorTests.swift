import StrictJSON
import Testing

@testable import ThreeDSProtocol

@Suite struct `An error message that is received` {
    private static let id = "2f37539c-d82e-4929-88db-2f9e72c7fa62"

    private func received(_ text: String) -> ReceivedError? {
        ReceivedError(reading: Array(text.utf8))
    }

    /// Each has a fault for which a reader of other messages refuses it.
    @Test(arguments: [
        #"{"messageType":"Erro","errorCode":"402"}"#,
        #"{"messageType":"Erro","messageVersion":"9.9.9","errorCode":"402"}"#,
        #"{"errorCode":"402","messageType":"Erro","errorDetail":"","errorComponent":"X"}"#,
        #"{"errorCode":"402","messageType":"Erro","errorDetail":1,"errorDetail":null}"#,
        #"{"errorCode":"402","messageType":"Erro","acsTransID":"4711","messageExtension":[]}"#,
        " \r\n\t" + #"{"errorCode":"402","messageType":"Erro","sdkTransID":""}"#,
    ])
    func `has its code, whatever its other elements are`(_ text: String) throws {
        let error = try #require(received(text))
        #expect(error.code == "402")
        var ids = TransactionIDs()
        ids.acs = Self.id
        #expect(error.concerns(ids) && error.concerns(TransactionIDs()))
    }

    @Test(arguments: [
        "", "{", "[]", #"{"errorCode":"402"}"#, #"{"messageType":"Erro"}"#,
        #"{"messageType":"erro","errorCode":"402"}"#, #"{"messageType":"RRes","errorCode":"402"}"#,
        #"{"messageType":"Erro","errorCode":402}"#, #"{"messageType":"Erro","errorCode":"40"}"#,
        #"{"messageType":"Erro","errorCode":"4020"}"#, #"{"messageType":"Erro","errorCode":"４02"}"#,
        #"{"messageType":["Erro"],"errorCode":"402"}"#,
        #"{"messageType":"Erro","errorCode":"402","errorCode":"101"}"#,
        #"{"messageType":"Erro","errorCode":"402","acsTransID":"a","acsTransID":"b"}"#,
    ])
    func `is nothing without one type and one code of three digits`(_ text: String) {
        #expect(received(text) == nil)
    }

    @Test(
        arguments: [
            (#","errorComponent":"D""#, .directory), (#","errorComponent":"S""#, .server),
            ("", nil), (#","errorComponent":"X""#, nil), (#","errorComponent":4"#, nil),
            (#","errorComponent":"D","errorComponent":"D""#, nil),
        ] as [(String, Component?)]
    )
    func `has a component if it has exactly one`(_ member: String, _ component: Component?) throws {
        let error = try #require(
            received(#"{"messageType":"Erro","errorCode":"402"\#(member)}"#)
        )
        #expect(error.component == component)
    }

    @Test func `concerns no transaction with another identifier`() throws {
        let names = ["threeDSServerTransID", "acsTransID", "dsTransID", "sdkTransID"]
        let paths = [\TransactionIDs.server, \.acs, \.directory, \.sdk]
        for (name, path) in zip(names, paths) {
            let text = #"{"messageType":"Erro","errorCode":"402","\#(name)":"\#(Self.id)"}"#
            let error = try #require(received(text))
            var ids = TransactionIDs()
            ids[keyPath: path] = Self.id.uppercased()
            #expect(error.concerns(ids), "\(name)")
            ids[keyPath: path] = "3" + Self.id.dropFirst()
            #expect(!error.concerns(ids), "\(name)")
        }
    }

    /// Whatever the SDK sends, the result that repeats it must be valid.
    @Test(arguments: [
        "",
        #","messageVersion":"2.3.1","errorComponent":"X","errorDetail":"","#
            + #""errorMessageType":"CReqs""#,
        #","errorDescription":"a\nb","errorDetail":7,"errorComponent":["C"],"sdkTransID":"1""#,
        #","errorDetail":"\u007f","messageVersion":"x.y","errorComponent":"C","#
            + #""errorComponent":"S""#,
    ])
    func `is repeated with all required elements`(_ members: String) throws {
        let error = try #require(
            received(#"{"messageType":"Erro","errorCode":"999"\#(members)}"#)
        )
        var ids = TransactionIDs()
        (ids.acs, ids.sdk) = (Self.id, Self.id)
        let report = error.report(in: .twoThree, about: ids)
        let texts = Dictionary(uniqueKeysWithValues: report.map { ($0.name, $0.value.text) })
        #expect(texts["errorCode"] == "999")
        #expect(texts["errorComponent"] == "C")
        #expect(texts["messageVersion"] == "2.3.1")
        #expect(texts["acsTransID"] == Self.id && texts["sdkTransID"] == Self.id)
        for row in FieldTable.reportedErrorRows {
            let isRight = texts[row.name].map { $0.map { row.form.judge($0) } == .right }
            #expect(isRight ?? !row.canBeMissing, "\(row.name)")
        }
    }

    @Test func `is repeated with the texts of its sender`() throws {
        let error = try #require(
            received(
                #"{"messageType":"Erro","errorCode":"203","errorDetail":"oobContinue <é>","#
                    + #""errorDescription":"d","errorComponent":"A","errorMessageType":"CRes","x":1}"#
            )
        )
        let report = error.report(in: .twoThree, about: TransactionIDs())
        #expect(
            report.map { "\($0.name)=\($0.value.text ?? "")" } == [
                "messageType=Erro", "messageVersion=2.3.1", "errorCode=203", "errorComponent=A",
                "errorDescription=d", "errorDetail=oobContinue <é>", "errorMessageType=CRes",
            ]
        )
    }

    @Test func `is bounded in its length`() {
        let detail = String(repeating: "x", count: MessageType.erro.limits.byteCount)
        let text = #"{"messageType":"Erro","errorCode":"402","errorDetail":"\#(detail)"}"#
        #expect(received(text) == nil)
    }
}
