import StrictJSON
import Testing

@testable import ThreeDSProtocol

/// One case for each error that reading finds, and the order between them.
@Suite struct `Refused messages` {
    private static let areq = SampleMessage(.areq, .twoTwo, to: .acs, on: .browser)

    private func text(
        _ changes: [(String, String?)],
        of sample: SampleMessage = areq
    ) -> String {
        var members = sample.members.map { ($0.name, $0.value.document) }
        for (name, value) in changes {
            let index = members.firstIndex { $0.0 == name }
            switch (index, value) {
            case (let index?, let value?): members[index].1 = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
        }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private func refused(_ text: String, versions: [ProtocolVersion] = [.twoTwo]) throws -> String {
        let fault = try Refusal.of(text, as: [.areq], for: .acs, versions: versions)
        return "\(fault.code.rawValue) \(fault.detail)"
    }

    @Test(arguments: [
        "", "{", "[]", "null", "1e400", "\"AReq\"", "{} {}", "\u{feff}{}", "{\"a\":\"\\ud800\"}",
    ])
    func `that are not a JSON object have the error 101`(_ text: String) throws {
        #expect(try refused(text) == "101 Invalid formatted message")
    }

    @Test(arguments: [nil, "null", "\"\"", "1", "\"areq\"", "\"XReq\"", "[\"AReq\"]"])
    func `of an unknown type have the error 101`(_ type: String?) throws {
        #expect(try refused(text([("messageType", type)])) == "101 Invalid message type")
    }

    @Test func `for another component have the error 101`() throws {
        let expected = "101 Invalid message for the receiving component"
        #expect(try refused(text([("messageType", "\"CRes\"")])) == expected)
    }

    @Test(arguments: ["\"2.1.0\"", "\"2.3.1\"", "\"2.2\"", "\"9.9.9\"", "\"2.2.0 \""])
    func `of a version that is not supported have the error 102`(_ version: String) throws {
        #expect(try refused(text([("messageVersion", version)])) == "102 2.2.0")
        #expect(
            try refused(text([("messageVersion", "\"9\"")]), versions: [.twoTwo, .twoOne])
                == "102 2.1.0,2.2.0"
        )
    }

    @Test func `of another version than the AReq have the error 203`() throws {
        let facts = SampleMessage.facts(
            ["deviceChannel": ["02"], "messageCategory": ["01"]],
            .twoTwo
        )
        let sample = SampleMessage(.creq, .twoTwo, to: .acs, on: .browser)
        let changed = text([("messageVersion", "\"2.1.0\"")], of: sample)
        let fault = try Refusal.of(changed, as: [.creq], for: .acs, in: facts)
        #expect(fault.code == .elementInvalid)
        #expect(fault.detail == "messageVersion")
        #expect(fault.version == .twoTwo)
    }

    @Test func `name all missing elements`() throws {
        let without = text([("mcc", nil), ("merchantName", "\"\""), ("purchaseDate", "null")])
        #expect(try refused(without) == "201 purchaseDate,mcc,merchantName")
        let nested = text([("homePhone", #"{"subscriber":"1"}"#)])
        #expect(try refused(nested) == "201 homePhone.cc")
    }

    @Test func `name critical extensions that are unknown`() throws {
        func extensions(_ ids: [(String, Bool)]) -> String {
            let elements = ids.map { id, isCritical in
                #"{"name":"n","id":"\#(id)","criticalityIndicator":\#(isCritical),"data":{"a":1}}"#
            }
            return text([("messageExtension", "[\(elements.joined(separator: ","))]")])
        }
        #expect(
            try refused(extensions([("A000000802-001", true), ("B", false), ("C.2", true)]))
                == "202 A000000802-001,C.2"
        )
        #expect(throws: Refusal.Accepted.self) { try refused(extensions([("B", false)])) }
        let number = try refused(extensions([("4242424242424242", true)]))
        #expect(number == "202 an unknown extension")
    }

    @Test func `SEC-90: with extensions are passed on unaltered`() throws {
        let data = #"{"b":1e400,"a":[{"z":"\u00e9"},null],"":-0.10}"#
        let text = text([
            (
                "messageExtension",
                #"[{"name":"n","id":"X","criticalityIndicator":true,"data":\#(data)}]"#
            ),
            ("unknownElement", data),
        ])
        let reader = MessageReader(for: .acs, recognisedExtensions: ["X"])
        let message = try reader.read(Array(text.utf8), as: [.areq], in: .first)
        let written = String(decoding: try message.written(), as: UTF8.self)
        let same = #"{"b":1e400,"a":[{"z":"é"},null],"":-0.10}"#
        #expect(written.components(of: same) == 2)
    }

    @Test func `name invalid elements`() throws {
        let wrong = text([("mcc", "\"12345\""), ("browserTZ", "5"), ("acctType", "\"79\"")])
        #expect(try refused(wrong) == "203 acctType,mcc,browserTZ")
        #expect(try refused(text([("purchaseAmount", "1e400")])) == "203 purchaseAmount")
    }

    @Test func `name repeated elements, also in objects, before all others`() throws {
        let repeated = #"{"chAccAgeInd":"01","chAccAgeInd":"01"}"#
        #expect(try refused(text([("acctInfo", repeated)])) == "204 acctInfo.chAccAgeInd")
        let twice = text([("mcc", nil)]).dropLast() + #","eci":"05","eci":"06"}"#
        #expect(try refused(String(twice)) == "204 eci")
    }

    /// Each pair of faults in one message, of which the first is reported.
    @Test func `report the first fault in the order of the checks`() throws {
        let repeated = ("acctInfo", Optional(#"{"chAccAgeInd":"01","chAccAgeInd":"01"}"#))
        let critical = (
            "messageExtension",
            Optional(#"[{"name":"n","id":"X","criticalityIndicator":true,"data":{"a":1}}]"#)
        )
        let missing = ("mcc", String?.none)
        let invalid = ("browserTZ", Optional("5"))
        let noISOCode = ("billAddrCountry", Optional("\"901\""))
        let version = ("messageVersion", Optional("\"2.0.0\""))
        let faults = [
            ("102", version), ("204", repeated), ("202", critical), ("201", missing),
            ("203", invalid), ("304", noISOCode),
        ]
        for (place, (code, first)) in faults.enumerated() {
            for (_, later) in faults[(place + 1)...] {
                let both = try refused(text([first, later]))
                #expect(both.hasPrefix(code + " "), "\(first.0), \(later.0): \(both)")
            }
        }
    }

    @Test func `SEC-71: never show a name or a number that the sender chose`() throws {
        let card = "4242424242424242"
        let names = text([]).dropLast() + ",\"\(card)\":1,\"\(card)\":2}"
        #expect(try refused(String(names)) == "204 an unknown element")
        for id in [card, "4242-4242-4242-4242", "a/4242.4242_4242:4242"] {
            let element = #"{"name":"n","id":"\#(id)","criticalityIndicator":true,"data":{"a":1}}"#
            let refused = try refused(text([("messageExtension", "[\(element)]")]))
            #expect(refused == "202 an unknown extension")
        }
        for name in Self.areq.members.map(\.name) {
            let fault = try? Refusal.of(text([(name, "\"\(card)\"")]), as: [.areq], for: .acs)
            #expect(fault?.detail.contains("4242") != true, "\(name)")
        }
    }

    @Test(arguments: ["\"963\"", "\"999\"", "\"000\"", "\"191\""])
    func `with an excluded or unknown currency have the error 304`(_ code: String) throws {
        #expect(try refused(text([("purchaseCurrency", code)])) == "304 purchaseCurrency")
    }

    @Test(arguments: ["\"901\"", "\"999\"", "\"000\"", "\"006\""])
    func `with an excluded or unknown country have the error 304`(_ code: String) throws {
        let codes = text([("merchantCountryCode", code), ("billAddrCountry", code)])
        #expect(try refused(codes) == "304 billAddrCountry,merchantCountryCode")
    }

    @Test func `name a currency and an exponent that differ`() throws {
        let expected = "304 purchaseCurrency,purchaseExponent"
        #expect(try refused(text([("purchaseExponent", "\"0\"")])) == expected)
        #expect(try refused(text([("purchaseCurrency", "\"392\"")])) == expected)
        let yen = text([("purchaseCurrency", "\"392\""), ("purchaseExponent", "\"0\"")])
        #expect(throws: Refusal.Accepted.self) { try refused(yen) }
    }

    @Test func `of another transaction have the error 301`() throws {
        let facts = SampleMessage.facts(
            ["deviceChannel": ["02"], "messageCategory": ["01"]],
            .twoTwo
        )
        let sample = SampleMessage(.creq, .twoTwo, to: .acs, on: .browser)
        let other = "\"00000000-0000-0000-0000-000000000000\""
        let fault = try Refusal.of(
            text([("acsTransID", other)], of: sample),
            as: [.creq],
            for: .acs,
            in: facts
        )
        #expect(fault.code == .transactionIDNotRecognised)
        #expect(fault.detail == "acsTransID")
        let upper = text([("acsTransID", "\"D7C1EE99-9478-44A6-B1F2-391E29C6B340\"")], of: sample)
        let reader = MessageReader(for: .acs)
        _ = try reader.read(Array(upper.utf8), as: [.creq], in: sample.context)
    }

    @Test func `with a reserved value have the error 207 from version 2.3.1 on`() throws {
        let sample = SampleMessage(.rres, .twoThree, to: .acs, on: .browser)
        let facts = SampleMessage.facts(sample.facts, .twoThree)
        let changed = text([("resultsStatus", "\"79\"")], of: sample)
        let fault = try Refusal.of(changed, as: [.rres], for: .acs, in: facts)
        #expect(fault.code == .valueReserved)
        #expect(fault.detail == "resultsStatus")
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        matches(of: text).count
    }

    private func matches(of text: String) -> [Range<String.Index>] {
        var found: [Range<String.Index>] = []
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            found.append(range)
            rest = rest[range.upperBound...]
        }
        return found
    }
}
