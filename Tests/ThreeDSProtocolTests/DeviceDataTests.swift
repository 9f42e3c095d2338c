import Cryptography
import StrictJSON
import Testing

@testable import ThreeDSProtocol

@Suite struct `Device data` {
    private func read(_ text: String) -> DeviceData? { DeviceData(reading: Array(text.utf8)) }

    @Test func `are written and read again`() throws {
        var data = DeviceData(version: "1.4")
        data.values = [
            .init(name: "C001", value: .string("Linux")),
            .init(name: "C008", value: .string("1920x1080")),
            .init(name: "A005", value: .array([.string("a"), .boolean(true)])),
        ]
        data.unavailable = DeviceParameter.Reason.allCases.enumerated().map { index, reason in
            .init(name: "C01\(index)", value: .string(reason.rawValue))
        }
        data.warnings = ["SW01", "SW04"]
        let bytes = try data.written()
        let expected =
            #"{"DV":"1.4","DD":{"C001":"Linux","C008":"1920x1080","A005":["a",true]},"#
            + #""DPNA":{"C010":"RE01","C011":"RE02","C012":"RE03","C013":"RE04"},"#
            + #""SW":["SW01","SW04"]}"#
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        let element = TextEncoding.base64URL.encode(bytes.span)
        #expect(try DeviceData(element: element)?.written() == bytes)
        #expect(DeviceData(element: element + "=") == nil)
    }

    @Test(arguments: [
        #"{"DV":"1.1","DD":{}}"#, #"{"DD":{"C001":null,"I001":1},"DV":"1.6","XX":[1]}"#,
        #"{"DV":"1.1","DD":{},"DPNA":{"C011":"RE05"},"SW":[]}"#,
    ])
    func `of a later list are accepted`(_ text: String) {
        #expect(read(text) != nil)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"DV":"1.1"}"#, #"{"DV":1.1,"DD":{}}"#, #"{"DV":"","DD":{}}"#,
        #"{"DV":"123456789","DD":{}}"#, #"{"DV":"1.1","DD":[]}"#, #"{"DV":"1.1","DD":{"c001":1}}"#,
        #"{"DV":"1.1","DD":{"C1":1}}"#, #"{"DV":"1.1","DD":{"C001":1,"C001":2}}"#,
        #"{"DV":"1.1","DD":{},"DPNA":{"C011":"xx01"}}"#, #"{"DV":"1.1","DD":{},"DPNA":{"C011":1}}"#,
        #"{"DV":"1.1","DD":{},"SW":"SW01"}"#, #"{"DV":"1.1","DD":{},"SW":["SW001"]}"#,
        #"{"DV":"1.1","DD":{},"SW":[1]}"#, #"{"DV":"1.1","DD":{}} "# + "x",
    ])
    func `of another form are refused`(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test func `are limited to 64,000 characters`() {
        func data(_ count: Int) -> DeviceData? {
            let start = #"{"DV":"1.1","DD":{"C001":""#
            let end = #""}}"#
            let fill = String(repeating: "x", count: count - start.utf8.count - end.utf8.count)
            return read(start + fill + end)
        }
        #expect(data(48_000) != nil)
        #expect(data(48_001) == nil)
    }

    @Test func `are not printed`() {
        let data = read(#"{"DV":"1.1","DD":{"C009":"my phone"}}"#)
        #expect(data != nil)
        #expect(
            !"\(String(reflecting: data))\(Mirror(reflecting: data as Any).children)".contains("my")
        )
    }

    @Test func `have 18 parameters that all platforms share`() {
        let names = DeviceParameter.allCases.map(\.rawValue)
        #expect(names == (1...18).map { $0 < 10 ? "C00\($0)" : "C0\($0)" })
        #expect(names.allSatisfy(DeviceParameter.isIdentifier))
        #expect(DeviceParameter.isIdentifier("A136"))
    }

    @Test(arguments: [
        "", "A", "A01", "A0001", "a001", "1001", "AA01", "A 01", "A+01", "A-01", "A0x1",
        // Four bytes, of which two combine with the letter; and full-width digits.
        "A\u{301}1", "A1\u{301}", "A\u{ff11}", "\u{c9}01",
    ])
    func `have no parameter of another form`(name: String) {
        #expect(!DeviceParameter.isIdentifier(name))
    }
}
