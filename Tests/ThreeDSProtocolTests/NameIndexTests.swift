import Testing

@testable import ThreeDSProtocol

@Suite struct `The index of names` {
    @Test func `finds every name of every message`() {
        for type in MessageType.allCases {
            for version in ProtocolVersion.allCases {
                let rows = FieldTable.rows(of: type, in: version)
                for (place, row) in rows.rows.enumerated() {
                    #expect(rows.place(of: row.name) == place)
                }
            }
        }
    }

    @Test func `finds names whose bytes have the same sum`() {
        let names = ["Aa", "BB", "AaAa", "AaBB", "BBAa"]
        let index = NameIndex(names)
        for (place, name) in names.enumerated() { #expect(index[name] == place) }
        #expect(index["BBBB"] == nil)
    }

    @Test func `does not find another spelling of a name`() {
        let index = NameIndex(["sdkKey", "x"])
        for name in ["", "sdkkey", "sdk\u{212a}ey", "sdkKey ", "sdkKe", "X"] {
            #expect(index[name] == nil, "\(name)")
        }
        #expect(NameIndex([])["x"] == nil)
    }
}
